'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Check, Choices, Input, Radios } from '@/app/ui/input'
import { saveAlertsAction, testAlertsAction } from './actions'
import { DIGESTS, KINDS } from './kinds'

type Settings = {
  kinds: string[]
  digest: string
  byEmail: boolean
  webhookHost: string | null
  canMail: boolean
}
type Props = { contractorId: string; email: string; settings: Settings }

/** The user's alert settings: which alerts, how often, and where. Works without script. */
export function AlertsForm({ contractorId, email, settings }: Props) {
  const { kinds, digest, byEmail, webhookHost, canMail } = settings
  // Whoever chooses their first alerts gets them by email unless they say otherwise.
  const isFirst = kinds.length === 0 && webhookHost === null
  // A new key makes the form show what was saved.
  const version = JSON.stringify(settings)
  return (
    <ActionForm key={version} action={saveAlertsAction} submit="Save" values={{ contractorId }}>
      {(fault, entered) => (
        <>
          <Choices legend="Alert me about">
            {KINDS.map(({ name, label, hint }) => (
              <Check
                key={name}
                name="kinds[]"
                value={name}
                label={label}
                hint={hint}
                defaultChecked={entered.has('kinds[]', name, kinds.includes(name))}
              />
            ))}
          </Choices>
          <Radios
            legend="How often"
            name="digest"
            options={DIGESTS.map(({ name, ...shown }) => ({ value: name, ...shown }))}
            isChosen={(value) => entered.has('digest', value, digest === value)}
          />
          <Choices legend="Where">
            <Check
              name="byEmail"
              label="Email"
              hint={canMail ? `to ${email}` : 'no mail server is configured'}
              defaultChecked={entered.has('byEmail', 'on', byEmail || (isFirst && canMail))}
              disabled={!canMail}
            />
            {fault('byEmail') && (
              <p role="alert" className="text-sm text-danger">
                {fault('byEmail')}
              </p>
            )}
          </Choices>
          <Field
            label="Slack or webhook URL"
            hint={
              webhookHost
                ? `Set: https://${webhookHost}/… Leave this blank to keep it.`
                : 'A Slack incoming webhook, or any https:// URL that takes a POST with JSON.'
            }
            error={fault('webhookUrl')}
          >
            {(tied) => (
              <Input
                name="webhookUrl"
                type="url"
                defaultValue={entered.text('webhookUrl')}
                placeholder="https://hooks.slack.com/services/…"
                autoComplete="off"
                {...tied}
              />
            )}
          </Field>
          {webhookHost && (
            <Check name="removeWebhook" label="Remove this URL" defaultChecked={entered.has('removeWebhook', 'on')} />
          )}
        </>
      )}
    </ActionForm>
  )
}

/** Sends a test message. */
export const TestAlerts = ({ contractorId }: { contractorId: string }) => (
  <ActionForm action={testAlertsAction} submit="Send a test message" look="plain" values={{ contractorId }} />
)
