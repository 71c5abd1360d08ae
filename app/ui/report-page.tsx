import type { ReactNode } from 'react'
import type { Desk } from '@/lib/core/desk'
import { hrefOf } from '../query'
import { LinkButton } from './button'
import { PageHead } from './card'
import { classes } from './classes'
import { type BarField, FilterBar } from './filter-bar'
import { Notice } from './notice'
import { PrintButton } from './print.client'

type Props = {
  title: string
  /** The report in a sentence with its main figure. */
  text?: ReactNode
  /** The report's path, and the parameters that are set. */
  path: string
  given: Record<string, string>
  contractor: string
  desk: Desk
  /** The days that it is about, in words. */
  days: string
  fields: BarField[]
  presets: { name: string; days: Record<string, string | undefined> }[]
  /** The days and choices that are shown, by parameter: they mark the preset in force, and stand in their fields. */
  shown: Record<string, string | undefined>
  faults?: Record<string, string> | undefined
  /** What the sums include. */
  basis?: string | undefined
  /** Other currencies with such records. */
  otherCurrencies?: readonly string[] | undefined
  /** Whether its rows can be downloaded. */
  exports?: boolean
  children?: ReactNode
}

/** The page of a report: its days with presets, its export and print, its content, and what its sums include. */
export function ReportPage(props: Props) {
  const { title, text, path, given, contractor, desk, days, fields, presets, shown, faults, exports, children } = props
  const wrong = faults && Object.entries(faults)
  const others = wrong?.filter(([field]) => !fields.some(({ name }) => name === field)) ?? []
  const { skip: _, ...kept } = given
  const actions = (
    <>
      {exports && (
        <LinkButton href={hrefOf(`${path}/export`, kept)} download={`${path.split('/').at(-1)}.csv`}>
          Export CSV
        </LinkButton>
      )}
      <PrintButton />
    </>
  )
  return (
    <>
      <p className="hidden text-sm text-quiet print:block">
        {contractor} · {desk.words.moment(desk.now)} {desk.words.zone(desk.now)}
      </p>
      <PageHead title={title} text={text ?? days} actions={actions} under={[{ name: 'Reports', href: '/reports' }]} />
      <Presets path={path} given={kept} presets={presets} shown={shown} />
      {fields.length > 0 && (
        <FilterBar
          path={path}
          given={kept}
          shown={shown}
          fields={fields}
          words={desk.words}
          fault={(field) => faults?.[field]}
        />
      )}
      {wrong ? (
        <Notice tone="danger" title="This report cannot be made.">
          {others.length > 0
            ? others.map(([field, message]) => <p key={field}>{message}</p>)
            : 'Fix the field marked above.'}
        </Notice>
      ) : (
        <div className="grid gap-6 *:min-w-0">{children}</div>
      )}
      <Ends {...props} />
    </>
  )
}

function Ends({ basis, otherCurrencies = [], path, given, faults }: Props) {
  if (faults) return null
  return (
    <div className="mt-6 grid gap-2 text-sm text-quiet">
      {otherCurrencies.length > 0 && (
        <p className="print:hidden">
          There are records in other currencies too, which are never added:{' '}
          {otherCurrencies.map((currency) => (
            <a key={currency} href={hrefOf(path, { ...given, currency, skip: undefined })} className="me-2">
              {currency}
            </a>
          ))}
        </p>
      )}
      {basis && (
        <details>
          <summary className="w-fit">What these figures include</summary>
          <p className="mt-1 max-w-prose">{basis}</p>
        </details>
      )}
    </div>
  )
}

function Presets({ path, given, presets, shown }: Pick<Props, 'path' | 'given' | 'presets' | 'shown'>) {
  return (
    <nav aria-label="Days" className="mb-3 flex flex-wrap gap-1 print:hidden">
      {presets.map(({ name, days }) => {
        const isShown = Object.entries(days).every(([field, day]) => shown[field] === day)
        return (
          <a
            key={name}
            href={hrefOf(path, { ...given, ...days })}
            {...(isShown && { 'aria-current': 'true' as const })}
            className={classes(
              'rounded-md border px-2.5 py-1 text-sm no-underline',
              isShown
                ? 'border-ink bg-ink text-ground hover:text-ground'
                : 'border-edge text-ink hover:border-ink hover:text-ink',
            )}
          >
            {name}
          </a>
        )
      })}
    </nav>
  )
}
