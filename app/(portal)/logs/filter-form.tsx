import { Button, LinkButton } from '@/app/ui/button'
import { Field, type Tied } from '@/app/ui/field'
import { Input, Select } from '@/app/ui/input'
import type { FilterName, FilterValues } from './filters'
import { KeyChoice } from './key-choice'
import type { KeyName } from './rows'

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']
const STATUSES = ['failed', 'limited', '2xx', '4xx', '5xx', '400', '401', '403', '404', '429']
/** The filters behind a disclosure; the most used ones are always visible. */
const MORE: FilterName[] = ['method', 'endpoint', 'address', 'id', 'from', 'to']

type Props = { values: FilterValues; faults: FilterValues; keys: KeyName[] }

/** The filters as a plain GET form: the URL holds them, and they work without JavaScript. */
export function FilterForm({ values, faults, keys }: Props) {
  const text =
    (name: FilterName, rest: Partial<Parameters<typeof Input>[0]> = {}) =>
    (tied: Tied) => (
      <Input name={name} defaultValue={values[name]} autoComplete="off" spellCheck={false} {...rest} {...tied} />
    )
  const isOpen = MORE.some((name) => values[name] !== undefined)
  const isFiltered = Object.keys(values).length > 0
  return (
    <search>
      <form action="/logs" className="mb-4 grid gap-3 rounded-lg border border-line bg-raised p-4">
        <div className="grid items-start gap-3 sm:grid-cols-[9rem_minmax(0,1fr)_minmax(0,1fr)]">
          <Field label="Status" error={faults.status}>
            {text('status', { type: 'search', list: 'statuses', placeholder: 'failed or 404' })}
          </Field>
          <datalist id="statuses">
            {STATUSES.map((status) => (
              <option key={status} value={status} />
            ))}
          </datalist>
          <Field label="Path begins with">{text('path', { placeholder: '/api/v1/invoices' })}</Field>
          <Field label="Key">{(tied) => <KeyChoice tied={tied} chosen={values.key} keys={keys} />}</Field>
        </div>
        {values.period && <input type="hidden" name="period" value={values.period} />}
        <details open={isOpen}>
          <summary className="w-fit text-sm text-quiet">More filters</summary>
          <div className="mt-3 grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
            <Field label="Method">
              {(tied) => (
                <Select name="method" defaultValue={values.method ?? ''} {...tied}>
                  <option value="">Any</option>
                  {METHODS.map((method) => (
                    <option key={method}>{method}</option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Operation or tool">{text('endpoint', { placeholder: 'list_invoices' })}</Field>
            <Field label="Address">{text('address', { placeholder: '203.0.113.9' })}</Field>
            <Field label="Request id" error={faults.id}>
              {text('id', { placeholder: 'req_…' })}
            </Field>
            <Field label="From (UTC)" error={faults.from}>
              {text('from', { placeholder: '2026-11-20T08:30' })}
            </Field>
            <Field label="Before (UTC)" error={faults.to}>
              {text('to', { placeholder: '2026-11-21' })}
            </Field>
          </div>
        </details>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="main">
            Filter
          </Button>
          {isFiltered && <LinkButton href="/logs">Clear</LinkButton>}
        </div>
      </form>
    </search>
  )
}
