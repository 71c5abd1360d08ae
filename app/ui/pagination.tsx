import { LinkButton } from './button'

type Props = {
  /** The content of the pages, for the accessible name: "Keys". */
  of: string
  /** The URL of the first page; undefined on the first page. */
  first?: string | undefined
  previous?: string | undefined
  next?: string | undefined
}

/**
 * First, previous and next links for keyset pagination. Has no page numbers, because the rows are not counted. Hidden when there is
 * only one page.
 */
export function Pagination({ of, first, previous, next }: Props) {
  if (!first && !previous && !next) return null
  return (
    <nav aria-label={`Pages of ${of}`} className="mt-4 flex flex-wrap items-center gap-2">
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
