'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { DialogButton } from '@/app/ui/dialog.client'
import { Field } from '@/app/ui/field'
import { Input, Radios } from '@/app/ui/input'
import { removeSsoAction, requireSsoAction, setSsoAction } from './actions'

type Provider = { issuer: string; clientId: string; domains: string[]; joinRole: string | null }
type Props = { contractorId: string; provider: Provider | null; roles: { role: string; title: string }[] }

/** The contractor's identity provider. */
export function SsoForm({ contractorId, provider, roles }: Props) {
  return (
    <ActionForm action={setSsoAction} submit="Save" values={{ contractorId }}>
      {(fault, entered) => (
        <>
          <Field
            label="Issuer"
            hint="Exactly as the provider shows it, beginning with https://."
            error={fault('issuer')}
          >
            {(tied) => (
              <Input
                {...tied}
                name="issuer"
                type="url"
                defaultValue={entered.text('issuer', provider?.issuer)}
                required
              />
            )}
          </Field>
          <Field label="Client ID" error={fault('clientId')}>
            {(tied) => (
              <Input {...tied} name="clientId" defaultValue={entered.text('clientId', provider?.clientId)} required />
            )}
          </Field>
          <Field
            label="Client secret"
            hint={provider ? 'Leave empty to keep the stored one.' : 'Stored encrypted and never shown again.'}
            error={fault('clientSecret')}
          >
            {(tied) => (
              <Input {...tied} name="clientSecret" type="password" autoComplete="off" required={provider === null} />
            )}
          </Field>
          <Field
            label="Email domains"
            hint="Only addresses of these domains may sign in. Separate them with commas."
            error={fault('domains') ?? fault('domains[0]')}
          >
            {(tied) => (
              <Input
                {...tied}
                name="domains"
                defaultValue={entered.text('domains', provider?.domains.join(', '))}
                required
              />
            )}
          </Field>
          <Radios
            legend="Who may join"
            name="joinRole"
            options={[
              { value: 'invited', label: 'Only people you invited' },
              ...roles.map(({ role, title }) => ({
                value: role,
                label: `Everyone of these domains, as ${title.toLowerCase()}`,
              })),
            ]}
            isChosen={(value) => entered.has('joinRole', value, value === (provider?.joinRole || 'invited'))}
          />
        </>
      )}
    </ActionForm>
  )
}

/** Requires single sign-on, or lets passwords in again. */
export function RequireForm({ contractorId, required }: { contractorId: string; required: boolean }) {
  return (
    <ActionForm
      action={requireSsoAction}
      submit={required ? 'Make it optional' : 'Require single sign-on'}
      look="plain"
      values={{ contractorId, required: required ? 'no' : 'yes' }}
    />
  )
}

/** Removes the provider, after a question. */
export function RemoveForm({ contractorId }: { contractorId: string }) {
  const form = (
    <ActionForm action={removeSsoAction} submit="Remove single sign-on" look="danger" values={{ contractorId }}>
      {() => <p>People sign in with passwords and passkeys again. Sessions that it began end.</p>}
    </ActionForm>
  )
  return (
    <>
      <span className="contents noscript:hidden">
        <DialogButton label="Remove" look="plain" title="Remove single sign-on">
          {form}
        </DialogButton>
      </span>
      <noscript>{form}</noscript>
    </>
  )
}
