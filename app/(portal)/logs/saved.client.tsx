'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { deleteFilterAction, saveFilterAction } from './actions'

type Saved = { id: string; name: string; query: string }
type Props = { contractorId: string; saved: Saved[]; query: string }

/** Lists a person's saved filters, and saves the current ones under a name. Works without script. */
export function SavedFilters({ contractorId, saved, query }: Props) {
  const isSaved = saved.some((filter) => filter.query === query)
  if (saved.length === 0 && query === '') return null
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      {saved.length > 0 && (
        <nav aria-label="Saved filters">
          <ul className="flex flex-wrap gap-1">
            {saved.map(({ id, name, query: its }) => (
              <li key={id}>
                <a
                  href={`/logs?${its}`}
                  aria-current={its === query ? 'true' : undefined}
                  className="block max-w-60 truncate rounded-md border border-edge px-2.5 py-1 text-sm no-underline hover:border-focus aria-[current]:border-ink aria-[current]:font-semibold"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {query !== '' && !isSaved && (
        <details>
          <summary className="w-fit py-1 text-sm">Save these filters</summary>
          <ActionForm
            action={saveFilterAction}
            submit="Save"
            size="small"
            values={{ contractorId, query }}
            className="mt-2 flex flex-wrap items-end gap-2"
          >
            {(fault) => (
              <Field label="Name" error={fault('name') ?? fault('query')}>
                {(tied) => <Input name="name" required maxLength={60} autoComplete="off" {...tied} />}
              </Field>
            )}
          </ActionForm>
        </details>
      )}
      {saved.length > 0 && (
        <details>
          <summary className="w-fit py-1 text-sm text-quiet">Delete saved filters</summary>
          <ul className="mt-2 grid gap-1">
            {saved.map(({ id, name }) => (
              <li key={id}>
                <ActionForm
                  action={deleteFilterAction}
                  submit={`Delete “${name}”`}
                  look="plain"
                  size="small"
                  values={{ contractorId, id }}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
