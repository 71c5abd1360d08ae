import { Button, LinkButton } from '@/app/ui/button'
import { Field, type Tied } from '@/app/ui/field'
import { Input, Select } from '@/app/ui/input'
import type { FilterField } from '../../resources'

type Props = {
  resource: string
  fields: FilterField[]
  given: Record<string, string>
  view: string | undefined
  fault: (field: string) => string | undefined
}

function Control({ field: { name, kind, options }, value, tied }: { field: FilterField; value: string; tied: Tied }) {
  if (kind === 'text') return <Input name={name} defaultValue={value} maxLength={80} {...tied} />
  if (kind === 'day') return <Input type="date" name={name} defaultValue={value.slice(0, 10)} {...tied} />
  return (
    <Select name={name} defaultValue={value} {...tied}>
      <option value="">any</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  )
}

/** A resource's filters as a plain GET form, so that the URL holds them. */
export function Filters({ resource, fields, given, view, fault }: Props) {
  if (fields.length === 0) return null
  return (
    <form method="get" className="mb-5 flex flex-wrap items-end gap-3" aria-label="Filters">
      {view && <input type="hidden" name="view" value={view} />}
      {fields.map((field) => (
        <Field key={field.name} label={field.label} error={fault(field.name)}>
          {(tied) => <Control field={field} value={given[field.name] ?? ''} tied={tied} />}
        </Field>
      ))}
      <div className="flex gap-2">
        <Button type="submit">Filter</Button>
        {Object.keys(given).length > 0 && (
          <LinkButton look="bare" href={`/data/${resource}`}>
            Clear
          </LinkButton>
        )}
      </div>
    </form>
  )
}
