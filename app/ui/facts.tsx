import type { ReactNode } from 'react'
import { classes } from './classes'

/** A grid of six columns, the first one twice as wide, that line up from one box to the next. */
const ALIGNED = 'grid grid-cols-2 gap-x-4 sm:grid-cols-3 lg:grid-cols-[minmax(0,2fr)_repeat(5,minmax(0,1fr))]'

/** Amounts below each other, the names at the start and the amounts at the end, where they can be compared. */
export function Amounts({ amounts }: { amounts: [name: string, amount: ReactNode][] }) {
  return (
    <dl>
      {amounts.map(([name, amount]) => (
        <div
          key={name}
          className="flex items-baseline justify-between gap-4 border-t border-line py-1.5 text-md first:border-t-0"
        >
          <dt className="text-quiet">{name}</dt>
          <dd className="whitespace-nowrap tabular-nums">{amount}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A wrapping row of names and values. With `aligned`, six of them are in columns, for boxes below each other. */
export function Facts({ facts, aligned = false }: { facts: [name: string, value: ReactNode][]; aligned?: boolean }) {
  return (
    <dl className={classes('mb-3 gap-y-2', aligned ? ALIGNED : 'flex flex-wrap gap-x-8')}>
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-quiet">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
