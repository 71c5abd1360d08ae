'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Check, Choices, Textarea } from '@/app/ui/input'
import { RowAction } from '@/app/ui/row-action.client'
import { endAction, endAllAction, limitAction } from './actions'

/** Ends one connection. */
export function End({ contractorId, id, name }: { contractorId: string; id: string; name: string }) {
  return <RowAction action={endAction} submit="End" look="danger" values={{ contractorId, id }} what={name} />
}

/** Ends everything a person connected. */
export function EndAll({ contractorId, personId, name }: { contractorId: string; personId: string; name: string }) {
  const values = { contractorId, personId }
  return (
    <RowAction action={endAllAction} submit="End all" look="danger" values={values} what={`Connections of ${name}`} />
  )
}

/** Which programs may be connected: any, or those on a list. */
export function LimitForm({ contractorId, allowed }: { contractorId: string; allowed: string[] | null }) {
  return (
    <ActionForm action={limitAction} submit="Save" look="plain" values={{ contractorId }}>
      {(fault, entered) => (
        <>
          <Choices legend="People may connect">
            <Check
              type="radio"
              name="mode"
              value="any"
              label="Any program"
              defaultChecked={entered.has('mode', 'any', allowed === null)}
            />
            <Check
              type="radio"
              name="mode"
              value="listed"
              label="Only these"
              defaultChecked={entered.has('mode', 'listed', allowed !== null)}
            />
          </Choices>
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
