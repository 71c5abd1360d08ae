'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input, Select, Textarea } from '@/app/ui/input'
import { RowAction } from '@/app/ui/row-action.client'
import { undoEntryAction, writeEntryAction } from './actions'

/** The button that undoes a note or a follow-up; `what` tells readers of its name alone which one. */
export function Undo({ contractorId, id, what }: { contractorId: string; id: string; what: string }) {
  return <RowAction action={undoEntryAction} submit="Undo" look="plain" values={{ contractorId, id }} what={what} />
}

/** A project that a note is written on. */
export type NotedProject = { id: string; name: string }

type Props = {
  contractorId: string
  projects: NotedProject[]
  /** Whether one of them is a lead, which can be followed up. */
  mayFollowUp: boolean
  /** Tells a note that is sent twice from two notes. */
  idempotencyKey: string
}

/** The form for a note, or for a day to come back to a lead. */
export function WriteForm({ contractorId, projects, mayFollowUp, idempotencyKey }: Props) {
  const [only] = projects
  const isOne = projects.length === 1
  return (
    <ActionForm
      action={writeEntryAction}
      submit={mayFollowUp ? 'Save' : 'Add note'}
      look="plain"
      values={{ contractorId, idempotencyKey, ...(isOne && only && { projectId: only.id }) }}
      className="grid gap-3"
    >
      {(fault, entered) => (
        <>
          <Field label="Note" error={fault('text')}>
            {(tied) => <Textarea name="text" rows={2} maxLength={2000} defaultValue={entered.text('text')} {...tied} />}
          </Field>
          {(!isOne || mayFollowUp) && (
            <div className="flex flex-wrap gap-3">
              {!isOne && (
                <Field label="Project" error={fault('projectId')} className="grow basis-48">
                  {(tied) => (
                    <Select name="projectId" defaultValue={entered.text('projectId')} {...tied}>
                      {projects.map(({ id, name }) => (
                        <option key={id} value={id}>
                          {name}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
              )}
              {mayFollowUp && (
                <Field label="Follow up on" hint="For a lead; leave empty for a note." error={fault('date')}>
                  {(tied) => <Input type="date" name="date" defaultValue={entered.text('date')} {...tied} />}
                </Field>
              )}
            </div>
          )}
        </>
      )}
    </ActionForm>
  )
}
