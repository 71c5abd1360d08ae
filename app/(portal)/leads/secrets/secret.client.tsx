'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { LinkButton } from '@/app/ui/button'
import { ConfirmAction } from '@/app/ui/confirm-action.client'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { SecretReveal } from '@/app/ui/secret.client'
import { removeSecretAction, setSecretAction } from './actions'

type Shown = { secret: string | null; verifyToken: string | null }
type Props = { contractorId: string; source: string; title: string; isEntered: boolean; isSet: boolean }

/** Shows what was created, once: a secret to enter at the sender, or the verify token that Meta repeats. */
function Made({ title, secret, verifyToken }: Shown & { title: string }) {
  return (
    <div className="grid gap-4" role="status">
      <Notice tone="good">Set. Leads from {title} that do not prove themselves by it are refused from now on.</Notice>
      {secret !== null && <SecretReveal label={`Secret for ${title}`} secret={secret} hasFocus />}
      {verifyToken !== null && <SecretReveal label="Verify token" secret={verifyToken} hasFocus />}
      <div>
        <LinkButton href="/leads/secrets">Done</LinkButton>
      </div>
    </div>
  )
}

/** Sets, replaces or removes the secret of one sender. */
export function SourceSecret({ contractorId, source, title, isEntered, isSet }: Props) {
  const values = { contractorId, source }
  return (
    <div className="grid gap-4">
      <ActionForm
        action={setSecretAction}
        submit={isSet ? `Replace the secret of ${title}` : `Set the secret of ${title}`}
        look={isSet ? 'plain' : 'main'}
        values={values}
        instead={(made) => made && <Made title={title} {...made} />}
      >
        {(fault) => (
          <Field
            label={isEntered ? 'App secret' : `Secret of ${title} (optional)`}
            hint={
              isEntered
                ? 'Meta shows it under App settings, Basic.'
                : 'Leave it empty to have one made. It is then shown once.'
            }
            error={fault('secret')}
          >
            {(tied) => <Input {...tied} name="secret" type="password" autoComplete="off" required={isEntered} />}
          </Field>
        )}
      </ActionForm>
      {isSet && (
        <ConfirmAction
          action={removeSecretAction}
          label={`Remove the secret of ${title}`}
          submit="Remove secret"
          size="small"
          values={values}
          title={`Remove the secret of ${title}?`}
          text={`Leads of ${title} are then accepted without proof of who sent them.`}
        />
      )}
    </div>
  )
}
