import { OVERLOADED } from '@/lib/core/overload'

/** An error as it reaches a page's error boundary: of one on the server nothing but its digest. */
export type PageFault = Error & { digest?: string }

/** Says why a page could not be shown, and what to do. */
export function WhyNotShown({ of: { digest }, when = '' }: { of: PageFault; when?: string }) {
  if (digest === OVERLOADED)
    return (
      <>
        The database has more to do right now than it can answer in time, or it cannot be reached or store anything. Try
        again in a moment; if it persists, tell the operator of this service.
      </>
    )
  return (
    <>
      Something went wrong on our side{when}. Try again in a minute; if it persists, tell the operator of this service
      {digest ? (
        <>
          {' '}
          the reference <code className="font-mono text-ink">{digest}</code>.
        </>
      ) : (
        ' what you did last.'
      )}
    </>
  )
}
