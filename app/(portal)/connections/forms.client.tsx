'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { ConfirmAction } from '@/app/ui/confirm-action.client'
import { Field } from '@/app/ui/field'
import { Radios, Textarea } from '@/app/ui/input'
import { endAction, endAllAction, limitAction } from './actions'

/** Ends one connection. */
export function End({ contractorId, id, name }: { contractorId: string; id: string; name: string }) {
  return (
    <ConfirmAction
      action={endAction}
      label="End"
      submit="End connection"
      size="small"
      values={{ contractorId, id }}
      what={name}
      title={`End ${name}?`}
      text="It stops working within five seconds. It can be connected again."
    />
  )
}

/** Ends everything a person connected. */
export function EndAll({ contractorId, personId, name }: { contractorId: string; personId: string; name: string }) {
  const values = { contractorId, personId }
  return (
    <ConfirmAction
      action={endAllAction}
      label="End all"
      submit="End all connections"
      size="small"
      values={values}
      what={`Connections of ${name}`}
      title={`End all connections of ${name}?`}
      text="Everything they connected stops working within five seconds."
    />
  )
}

/** A form that sets which programs may be connected: any, or those on a list. */
export function LimitForm({ contractorId, allowed }: { contractorId: string; allowed: string[] | null }) {
  return (
    <ActionForm action={limitAction} submit="Save" look="plain" values={{ contractorId }}>
      {(fault, entered) => (
        <>
          <Radios
            legend="People may connect"
            name="mode"
            options={[
              { value: 'any', label: 'Any program' },
              { value: 'listed', label: 'Only these' },
            ]}
            isChosen={(value) => entered.has('mode', value, (value === 'any') === (allowed === null))}
          />
          <Field
            label="Destinations"
            hint="One on each line, as shown under Program: a host such as claude.ai or chatgpt.com; “this computer” for programs on people’s own machines; cursor for Cursor."
            error={fault('destinations') ?? fault('destinations[0]')}
          >
            {(tied) => (
              <Textarea
                {...tied}
                name="destinations"
                rows={4}
                className="max-w-md font-mono"
                defaultValue={entered.text('destinations', allowed?.join('\n') ?? '')}
              />
            )}
          </Field>
        </>
      )}
    </ActionForm>
  )
}
