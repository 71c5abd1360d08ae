'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input, Select } from '@/app/ui/input'
import { loadAction } from './actions'
import { Report } from './report'

/** Loads CSV files without script: one form, which the report replaces. */
export function PlainLoader({ contractorId, names }: { contractorId: string; names: string[] }) {
  return (
    <ActionForm
      action={loadAction}
      submit="Load"
      values={{ contractorId }}
      className="grid max-w-prose gap-4"
      instead={(events) => (
        <>
          <Report events={events ?? []} />
          <p className="mt-4">
            <a href="/data/load">Load more files</a>
          </p>
        </>
      )}
    >
      {(fault) => (
        <>
          <Field
            label="CSV files"
            hint={`Any of ${names.join(', ')}; together up to 1 MB without JavaScript.`}
            error={fault('files')}
          >
            {(tied) => <Input type="file" name="files" multiple accept=".csv,text/csv" {...tied} />}
          </Field>
          <Field
            label="Records that are no longer in the files"
            hint="Counting and deleting are for files that contain all records of their kind. Count first."
          >
            {(tied) => (
              <Select name="complete" {...tied}>
                <option value="">Keep</option>
                <option value="count">Count</option>
                <option value="delete">Delete</option>
              </Select>
            )}
          </Field>
          <Field label="Delete at most, in percent" hint="If more than this share is missing, nothing is deleted.">
            {(tied) => <Input name="mostPercent" inputMode="decimal" defaultValue="10" {...tied} />}
          </Field>
        </>
      )}
    </ActionForm>
  )
}
