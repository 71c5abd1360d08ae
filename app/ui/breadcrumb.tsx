/** A page that another one is below. */
export type Crumb = { name: string; href: string }

/** The way back from a page one level down: the pages above it, the highest first. The page itself follows as its heading. */
export function Breadcrumb({ pages }: { pages: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-1 text-md text-quiet print:hidden">
      <ol className="flex flex-wrap items-baseline gap-x-2">
        {pages.map(({ name, href }) => (
          <li key={href} className="flex items-baseline gap-x-2">
            <a href={href} className="text-quiet no-underline hover:text-ink hover:underline">
              {name}
            </a>
            <span aria-hidden="true">/</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}
