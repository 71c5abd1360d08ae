import { classes } from '@/app/ui/classes'
import { type FilterValues, inPeriod, PERIODS } from './filters'

/** Links for preset time ranges; they work without script. */
export function PeriodLinks({ values }: { values: FilterValues }) {
  const isNamed = Boolean(values.from || values.to)
  const current = isNamed ? 'named' : values.period
  const links = [
    ...Object.entries(PERIODS).map(([name, { words }]) => [name, words] as const),
    [undefined, 'All'] as const,
  ]
  return (
    <nav aria-label="Time range" className="flex flex-wrap gap-1">
      {links.map(([name, words]) => (
        <a
          key={words}
          href={inPeriod(values, name)}
          aria-current={current === name ? 'true' : undefined}
          className={classes(
            'rounded-md border px-2.5 py-1 text-sm no-underline',
            current === name
              ? 'border-ink bg-ink text-ground'
              : 'border-edge text-ink hover:border-ink hover:bg-sunken',
          )}
        >
          {words}
        </a>
      ))}
      {isNamed && <span className="px-2.5 py-1 text-sm text-quiet">Custom range (From and Before)</span>}
    </nav>
  )
}
