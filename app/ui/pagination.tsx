import { LinkButton } from './button'

type Props = {
  /** What is paged, for its accessible name: "Keys". */
  of: string
  /** Where the first page is, once one has gone on; undefined on the first. */
  first?: string | undefined
  previous?: string | undefined
  next?: string | undefined
}

/** First, previous and next over a keyset: there is no number of pages, as nobody counts the rows. Absent where there is one page. */
export function Pagination({ of, first, previous, next }: Props) {
  if (!first && !previous && !next) return null
  return (
    <nav aria-label={`Pages of ${of}`} className="mt-4 flex flex-wrap gap-2">
      {first && (
        <LinkButton size="small" href={first}>
          First
        </LinkButton>
      )}
      {previous && (
        <LinkButton size="small" href={previous} rel="prev">
          ← Previous
        </LinkButton>
      )}
      {next && (
        <LinkButton size="small" href={next} rel="next">
          Next →
        </LinkButton>
      )}
    </nav>
  )
}
