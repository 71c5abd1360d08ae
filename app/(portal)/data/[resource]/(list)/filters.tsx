import { hrefOf } from '@/app/query'
import { Button, LinkButton } from '@/app/ui/button'
import { Field, type Tied } from '@/app/ui/field'
import { Input, Select } from '@/app/ui/input'
import type { FilterField } from '../../resources'
import { type Names, RecordLink } from '../../value'

type Props = {
  resource: string
  fields: FilterField[]
  given: Record<string, string>
  view: string | undefined
  fault: (field: string) => string | undefined
  /** Names of records, by id. */
  names: Names
}

/** The records that a list is narrowed to, by name, each with a way back. They are chosen on their own pages. */
function Chosen({ resource, fields, given, view, names }: Omit<Props, 'fault'>) {
  const chosen = fields.filter(({ kind, name }) => kind === 'record' && given[name])
  if (chosen.length === 0) return null
  return (
    <ul className="mb-4 flex flex-wrap gap-2">
      {chosen.map(({ name, label, of }) => {
        const id = given[name] ?? ''
        return (
          <li key={name} className="flex items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1">
            <span className="text-quiet">{label}:</span>
            <RecordLink to={of ?? ''} id={id} names={names} />
            <a href={hrefOf(`/data/${resource}`, { ...given, [name]: undefined, view })} className="text-sm">
              Remove<span className="sr-only"> the filter by {label.toLowerCase()}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function Control({ field: { name, kind, options }, value, tied }: { field: FilterField; value: string; tied: Tied }) {
  if (kind === 'text') return <Input name={name} defaultValue={value} maxLength={80} {...tied} />
  if (kind === 'day') return <Input type="date" name={name} defaultValue={value.slice(0, 10)} {...tied} />
  return (
    <Select name={name} defaultValue={value} {...tied}>
      <option value="">Any</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option.replaceAll('_', ' ')}
        </option>
      ))}
    </Select>
  )
}

/** A resource's filters as a plain GET form, so that the URL holds them. */
export function Filters(props: Props) {
  const { resource, fields, given, view, fault } = props
  const typed = fields.filter(({ kind }) => kind !== 'record')
  if (fields.length === 0) return null
  return (
    <>
      <form method="get" className="mb-5 flex flex-wrap items-end gap-3" aria-label="Filters">
        {view && <input type="hidden" name="view" value={view} />}
        {fields.map(
          ({ name, kind }) =>
            kind === 'record' && given[name] && <input key={name} type="hidden" name={name} value={given[name]} />,
        )}
        {typed.map((field) => (
          <Field key={field.name} label={field.label} error={fault(field.name)}>
            {(tied) => <Control field={field} value={given[field.name] ?? ''} tied={tied} />}
          </Field>
        ))}
        {typed.length > 0 && (
          <div className="flex gap-2">
            <Button type="submit">Filter</Button>
            {Object.keys(given).length > 0 && (
              <LinkButton look="bare" href={`/data/${resource}`}>
                Clear
              </LinkButton>
            )}
          </div>
        )}
      </form>
      <Chosen {...props} />
    </>
  )
}
