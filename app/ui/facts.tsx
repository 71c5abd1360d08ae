import type { ReactNode } from 'react'
import { classes } from './classes'

/** Six columns, the first one twice as wide, that stand in line from one box to the next. */
const ALIGNED = 'grid grid-cols-2 gap-x-4 sm:grid-cols-3 lg:grid-cols-[minmax(0,2fr)_repeat(5,minmax(0,1fr))]'

/** A wrapping row of names and values. With `aligned`, six of them are in columns, for boxes below each other. */
export function Facts({ facts, aligned = false }: { facts: [name: string, value: ReactNode][]; aligned?: boolean }) {
  return (
    <dl className={classes('mb-3 gap-y-2', aligned ? ALIGNED : 'flex flex-wrap gap-x-8')}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-quiet">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
