import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import type { Role } from '@/lib/core/roles'
import { RESOURCE_NAMES, wordsOf } from './resources'

/** The heading of the data pages: links to the resources, and to loading for roles that may load. */
export function DataHead({ current, role, text }: { current: string; role: Role; text: string }) {
  return (
    <>
      <PageHead
        title={wordsOf(current)}
        text={text}
        actions={
          <>
            <LinkButton href={`/data/${current}/export?format=csv`} download>
              Export CSV
            </LinkButton>
            <LinkButton href={`/data/${current}/export?format=ndjson`} title="JSON lines, one record each" download>
              Export JSON
            </LinkButton>
            {role === 'admin' && <LinkButton href="/data/load">Load files</LinkButton>}
          </>
        }
      />
      <nav aria-label="Data" className="mb-5 flex flex-wrap gap-x-1 border-b border-line">
        {RESOURCE_NAMES.map((name) => (
          <a
            key={name}
            href={`/data/${name}`}
            {...(name === current && { 'aria-current': 'page' as const })}
            className="-mb-px flex min-h-10 items-center border-b-2 border-transparent px-3 font-medium text-quiet no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {wordsOf(name)}
          </a>
        ))}
      </nav>
    </>
  )
}
