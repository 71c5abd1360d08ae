import { classes } from '@/app/ui/classes'
import { dayShown, type FilterValues, inPeriod, type LogDay, onDay, PERIODS } from './filters'

/** Links for preset time ranges and the contractor's last two days; they work without script. */
export function PeriodLinks({ values, days }: { values: FilterValues; days: readonly LogDay[] }) {
  const isNamed = Boolean(values.from || values.to)
  const shown = dayShown(values, days)
  const links = [
    ...days.map((day) => ({ words: day.name, href: onDay(values, day), isCurrent: day === shown })),
    ...Object.entries(PERIODS).map(([name, { words }]) => ({
      words,
      href: inPeriod(values, name),
      isCurrent: !isNamed && values.period === name,
    })),
    { words: 'All', href: inPeriod(values, undefined), isCurrent: !isNamed && values.period === undefined },
  ]
  return (
    <nav aria-label="Time range" className="flex flex-wrap gap-1">
      {links.map(({ words, href, isCurrent }) => (
        <a
          key={words}
          href={href}
          aria-current={isCurrent ? 'true' : undefined}
          className={classes(
            'rounded-md border px-2.5 py-1 text-sm no-underline',
            isCurrent ? 'border-ink bg-ink text-ground' : 'border-edge text-ink hover:border-ink hover:bg-sunken',
          )}
        >
          {words}
        </a>
      ))}
      {isNamed && !shown && <span className="px-2.5 py-1 text-sm text-quiet">Custom range (From and Before)</span>}
    </nav>
  )
}
