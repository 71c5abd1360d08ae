import { classes } from './classes'

/** A gray bar in place of content that is loading; set its size with classes. Hidden from screen readers. */
function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={classes('block h-4 rounded-sm bg-line motion-safe:animate-pulse', className)} />
  )
}

/** A whole page that is loading, for `loading.tsx`. Announced once; reserves the space of heading and rows. */
export function PageSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status">
      <span className="sr-only">Loading…</span>
      <Skeleton className="mb-3 h-8 w-48" />
      <Skeleton className="mb-8 w-80 max-w-full" />
      <Bars rows={rows} />
    </div>
  )
}

const Bars = ({ rows }: { rows: number }) => (
  <div className="grid gap-4 rounded-lg border border-line bg-raised p-5">
    {Array.from({ length: rows }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never change places.
      <Skeleton key={at} className={at % 3 === 2 ? 'w-2/3' : 'w-full'} />
    ))}
  </div>
)
