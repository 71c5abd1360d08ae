'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { LinkButton } from '@/app/ui/button'
import { ConfirmAction } from '@/app/ui/confirm-action.client'
import { Field } from '@/app/ui/field'
import { Check, Choices, Input, Select } from '@/app/ui/input'
import { SecretReveal } from '@/app/ui/secret.client'
import type { Entered } from '@/lib/portal/form-result'
import {
  changeWebhookAction,
  createWebhookAction,
  deleteWebhookAction,
  pauseWebhookAction,
  replayDeliveryAction,
  replaySpanAction,
  rotateWebhookAction,
  testWebhookAction,
} from './actions'
import { eventName } from './events'

type Present = { url: string; description: string; events: string[] }
type Made = { id: string; secret: string }

/** The secret, shown once; without script this page is its only place too. */
function Secret({ made }: { made: Made | undefined }) {
  if (!made) return null
  return (
    <div className="grid gap-4">
      <SecretReveal label="Signing secret" secret={made.secret} hasFocus />
      <div>
        <LinkButton look="main" href={`/outgoing/${made.id}`}>
          I’ve saved it
        </LinkButton>
      </div>
    </div>
  )
}

type FieldsProps = {
  types: readonly string[]
  present?: Present
  fault: (field: string) => string | undefined
  entered: Entered
}

/** The record an event is about, of `invoice.updated` the `invoice`. */
const recordOf = (type: string): string => type.split('.')[0] ?? type

function Fields({ types, present, fault, entered }: FieldsProps) {
  return (
    <>
      <Field label="URL" required hint="https:// on the public internet." error={fault('url')}>
        {(tied) => (
          <Input name="url" type="url" autoComplete="off" defaultValue={entered.text('url', present?.url)} {...tied} />
        )}
      </Field>
      <Field label="Description" hint="What receives the events." error={fault('description')}>
        {(tied) => (
          <Input
            name="description"
            maxLength={200}
            autoComplete="off"
            defaultValue={entered.text('description', present?.description)}
            {...tied}
          />
        )}
      </Field>
      <Choices legend="Events">
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
          {[...new Set(types.map(recordOf))].map((record) => (
            <div key={record}>
              {types
                .filter((type) => recordOf(type) === record)
                .map((type) => (
                  <Check
                    key={type}
                    name="events[]"
                    value={type}
                    label={eventName(type)}
                    defaultChecked={entered.has('events[]', type, present?.events.includes(type) ?? false)}
                  />
                ))}
            </div>
          ))}
        </div>
        {fault('events') && (
          <p role="alert" className="text-sm text-danger">
            {fault('events')}
          </p>
        )}
      </Choices>
    </>
  )
}

type Props = { contractorId: string; types: readonly string[] }

/** Creates a webhook and shows its signing secret. */
export const CreateWebhook = ({ contractorId, types }: Props) => (
  <ActionForm<Made>
    action={createWebhookAction}
    submit="Create webhook"
    values={{ contractorId }}
    instead={(made) => <Secret made={made} />}
  >
    {(fault, entered) => <Fields types={types} fault={fault} entered={entered} />}
  </ActionForm>
)

type Of = { contractorId: string; id: string }

export const ChangeWebhook = ({ types, present, ...values }: Of & Props & { present: Present }) => (
  <ActionForm key={JSON.stringify(present)} action={changeWebhookAction} submit="Save" values={values}>
    {(fault, entered) => <Fields types={types} present={present} fault={fault} entered={entered} />}
  </ActionForm>
)

/** Makes a new signing secret and shows it. */
export const RotateWebhook = (values: Of) => (
  <ActionForm<Made>
    action={rotateWebhookAction}
    submit="Create new secret"
    look="plain"
    values={values}
    instead={(made) => <Secret made={made} />}
  >
    {(fault) => (
      <Field label="The old secret" error={fault('ends')}>
        {(tied) => (
          <Select name="ends" defaultValue="24h" className="max-w-80" {...tied}>
            <option value="24h">Signs too for another 24 hours</option>
            <option value="now">Ends at once</option>
          </Select>
        )}
      </Field>
    )}
  </ActionForm>
)

export const PauseWebhook = ({ isPaused, ...values }: Of & { isPaused: boolean }) => (
  <ActionForm
    action={pauseWebhookAction}
    submit={isPaused ? 'Resume' : 'Pause'}
    look={isPaused ? 'main' : 'plain'}
    values={{ ...values, paused: String(!isPaused) }}
  />
)

export const TestWebhook = (values: Of) => (
  <ActionForm action={testWebhookAction} submit="Send a test event" look="plain" values={values} />
)

export const DeleteWebhook = (values: Of) => (
  <ConfirmAction
    action={deleteWebhookAction}
    label="Delete webhook"
    values={values}
    title="Delete this webhook?"
    text="Nothing more is sent to it, and its deliveries are deleted. To stop for a while, pause it."
    instead={() => (
      <p>
        Deleted. <a href="/outgoing">All webhooks</a>
      </p>
    )}
  />
)

export const ReplayDelivery = (values: Of) => (
  <ActionForm action={replayDeliveryAction} submit="Replay" look="plain" values={values} />
)

/** Sends every event of a span of days again. */
export const ReplaySpan = (values: Of) => (
  <ActionForm action={replaySpanAction} submit="Replay" look="plain" values={values}>
    {(fault, entered) => (
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First day (UTC)" required error={fault('from')}>
          {(tied) => <Input name="from" type="date" defaultValue={entered.text('from')} {...tied} />}
        </Field>
        <Field label="Last day (UTC)" hint="Leave empty for today." error={fault('to')}>
          {(tied) => <Input name="to" type="date" defaultValue={entered.text('to')} {...tied} />}
        </Field>
      </div>
    )}
  </ActionForm>
)
