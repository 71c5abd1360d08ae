import type { ReactNode } from 'react'
import { cleanText } from '@/lib/core/clean'
import type { Words } from '@/lib/core/words'
import { hrefOf } from '../query'
import { Button, LinkButton } from './button'
import { Field } from './field'
import { Input, Select } from './input'
import { LinkTabs } from './link-tabs'
import type { Period } from './periods'

/**
 * A tab above a list: the records that have one value of a field, with their number. An absent value is all of them; `field` is another one
 * than the other tabs have.
 */
export type Tab = { name: string; value?: string; field?: string; count?: number | null | undefined }

/** A field beside the search box. */
export type BarField =
  | { name: string; label: string; kind: 'day' | 'text' | 'amount' }
  | { name: string; label: string; kind: 'choice'; options: { value: string; text: string }[] }

/** A record that the list is narrowed to, by its name. It is chosen on its own page. */
export type ChosenRecord = { field: string; label: string; name: string; href: string }

type Props = {
  /** The page's path. */
  path: string
  /** The parameters that are set, by name. Those without a field here go along hidden. */
  given: Record<string, string>
  /** What is shown where a parameter is not set; such a field always has a value. */
  shown?: Record<string, string | undefined>
  /** The label and hint of the search box; without it there is none. */
  search?: { label: string; hint?: string }
  tabs?: { field: string; all: Tab[] }
  fields?: BarField[]
  /** Fields that are asked for less often, behind "More filters". */
  moreFields?: BarField[]
  /** Spans of days as links, and the fields that they set. */
  periods?: { from: string; to: string; all: Period[] }
  chosen?: ChosenRecord[]
  /** Why a field's value cannot be used. */
  fault?: (field: string) => string | undefined
  words: Words
  /** What stands at the end of the bar: Export, Print, New. */
  actions?: ReactNode
}

/** Parameters of a place in the list, which another filter makes void. */
const PLACES = ['after', 'before', 'pageToken']

const without = (given: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))

/** One form of a list: search first, then tabs with counts and fields. It is a plain GET form, so the address holds what is asked. */
export function FilterBar(props: Props) {
  const { path, given, shown = {}, search, tabs, fields = [], moreFields = [] } = props
  const { periods, chosen = [], fault, words, actions } = props
  const own = ['query', ...[...fields, ...moreFields].map(({ name }) => name)]
  const hidden = without(given, [...own, ...PLACES])
  const cleared = without(hidden, [
    ...chosen.map(({ field }) => field),
    ...(tabs ? [tabs.field, ...tabs.all.flatMap(({ field }) => field ?? [])] : []),
  ])
  const isNarrowed = Object.keys(given).some((name) => !(name in cleared) && !PLACES.includes(name))
  const isMoreOpen = moreFields.some(({ name }) => given[name] !== undefined || fault?.(name) !== undefined)
  return (
    <div className="mb-3 print:hidden">
      {tabs && <TabLinks path={path} given={given} tabs={tabs} words={words} />}
      <form method="get" action={path} aria-label="Filters" className="flex flex-wrap items-end gap-2">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {search && (
          <Field label={search.label} error={fault?.('query')} className="grow basis-64 sm:max-w-96">
            {(tied) => (
              <Input
                type="search"
                name="query"
                defaultValue={given.query}
                placeholder={search.hint}
                maxLength={80}
                data-page-search=""
                {...tied}
              />
            )}
          </Field>
        )}
        <Fields fields={fields} given={given} shown={shown} fault={fault} />
        {moreFields.length > 0 && (
          <details open={isMoreOpen} className="group open:contents">
            <summary className="flex min-h-control cursor-pointer list-none items-center rounded-md px-2 text-sm text-quiet hover:bg-sunken hover:text-ink group-open:hidden">
              More filters
            </summary>
            <div className="flex flex-wrap items-end gap-2">
              <Fields fields={moreFields} given={given} shown={shown} fault={fault} />
            </div>
          </details>
        )}
        <Button type="submit">{search && fields.length === 0 ? 'Search' : 'Apply'}</Button>
        {isNarrowed && (
          <LinkButton look="bare" href={hrefOf(path, cleared)}>
            Clear filters
          </LinkButton>
        )}
        {actions && <div className="ms-auto flex flex-wrap gap-2">{actions}</div>}
      </form>
      {periods && <PeriodLinks path={path} given={given} periods={periods} />}
      <ChosenRecords path={path} given={given} chosen={chosen} />
    </div>
  )
}

function Fields({
  fields,
  given,
  shown,
  fault,
}: Required<Pick<Props, 'given' | 'shown' | 'fields'>> & { fault: Props['fault'] }) {
  return fields.map((field) => (
    <Field key={field.name} label={field.label} error={fault?.(field.name)}>
      {(tied) => (
        <Control
          field={field}
          value={given[field.name] ?? shown[field.name] ?? ''}
          isAlways={shown[field.name] !== undefined}
          tied={tied}
        />
      )}
    </Field>
  ))
}

function Control({
  field,
  value,
  isAlways,
  tied,
}: {
  field: BarField
  value: string
  isAlways: boolean
  tied: object
}) {
  if (field.kind === 'day') return <Input type="date" name={field.name} defaultValue={value} {...tied} />
  if (field.kind !== 'choice')
    return (
      <Input
        name={field.name}
        defaultValue={value}
        maxLength={80}
        {...(field.kind === 'amount' && { inputMode: 'decimal' as const })}
        {...tied}
      />
    )
  return (
    <Select name={field.name} defaultValue={value} {...tied}>
      {!isAlways && <option value="">Any</option>}
      {field.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </Select>
  )
}

/** Links to spans of days. One that is chosen leads back to all days. */
function PeriodLinks({ path, given, periods }: Pick<Props, 'path' | 'given'> & Required<Pick<Props, 'periods'>>) {
  const { from, to, all } = periods
  const kept = without(given, [...PLACES, from, to])
  return (
    <ul aria-label="Days" className="mt-2 flex flex-wrap gap-x-4 text-sm">
      {all.map((period) => {
        const isChosen = given[from] === period.from && given[to] === period.to
        return (
          <li key={period.name}>
            <a
              href={hrefOf(path, isChosen ? kept : { ...kept, [from]: period.from, [to]: period.to })}
              {...(isChosen && { 'aria-current': 'true' as const })}
              className="inline-block py-1 text-quiet no-underline hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {period.name}
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function ChosenRecords({ path, given, chosen }: Pick<Props, 'path' | 'given'> & { chosen: ChosenRecord[] }) {
  if (chosen.length === 0) return null
  return (
    <ul aria-label="Only of" className="mt-2 flex flex-wrap gap-2 text-sm">
      {chosen.map(({ field, label, name, href }) => (
        <li key={field} className="flex min-w-0 items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1">
          <span className="text-quiet">{label}:</span>
          <a href={href} className="min-w-0 truncate">
            {cleanText(name)}
          </a>
          <a href={hrefOf(path, without(given, [field, ...PLACES]))}>
            Remove<span className="sr-only"> the filter by {label.toLowerCase()}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function TabLinks({
  path,
  given,
  tabs: { field: usual, all },
  words,
}: Required<Pick<Props, 'path' | 'given' | 'words'>> & { tabs: NonNullable<Props['tabs']> }) {
  const fields = [usual, ...all.flatMap(({ field }) => field ?? [])]
  const kept = without(given, [...PLACES, ...fields])
  const isPlain = fields.every((field) => given[field] === undefined)
  return (
    <LinkTabs
      label="Status"
      tabs={all.map(({ name, value, field = usual, count }) => ({
        name,
        href: hrefOf(path, { ...kept, [field]: value }),
        isCurrent: value === undefined ? isPlain : given[field] === value,
        beside: typeof count === 'number' && (
          <span className="ms-1.5 text-quiet tabular-nums">{words.number(count)}</span>
        ),
      }))}
    />
  )
}
