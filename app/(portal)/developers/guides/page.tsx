import type { Metadata } from 'next'
import { parametersOf, type SearchParams } from '@/app/query'
import { PageHead } from '@/app/ui/card'
import { env } from '@/lib/core/env'
import { GUIDES_PATH, guidesFor } from '@/lib/guides/guides'
import { type FoundSection, searchGuides } from '@/lib/guides/search'
import { guideSources } from '@/lib/guides/source'
import { GuideSearch } from './search'

export const metadata: Metadata = {
  title: 'Guides',
  description: 'From the first request to a complete sync: keys, lists, leads, agents, errors and limits.',
  alternates: { canonical: GUIDES_PATH },
}

function Found({ asked, found }: { asked: string; found: FoundSection[] }) {
  return (
    <section aria-labelledby="found-title" className="mb-8">
      <h2 id="found-title" className="mb-3">
        {found.length === 0 ? `Nothing in the guides matches “${asked}”.` : `In the guides: “${asked}”`}
      </h2>
      {found.length === 0 && <p className="text-quiet">Try fewer or different words, or see the API explorer.</p>}
      <ol className="grid gap-3">
        {found.map(({ slug, guide, heading, anchor, excerpt }) => (
          <li key={slug + anchor} className="max-w-prose">
            <a href={`${GUIDES_PATH}/${slug}${anchor && `#${anchor}`}`} className="font-semibold">
              {heading}
            </a>{' '}
            <span className="text-sm text-quiet">{guide}</span>
            <p className="text-sm text-quiet wrap-anywhere">{excerpt}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

export default async function GuidesPage({ searchParams }: { searchParams: SearchParams }) {
  const { q = '' } = await parametersOf(searchParams, ['q'])
  const asked = q.slice(0, 200)
  return (
    <>
      <PageHead
        title="Guides"
        text="Every code block is tested against this service. Add .md to a guide's address to get it as Markdown."
      />
      <div className="mb-6 max-w-md">
        <GuideSearch asked={asked} />
      </div>
      {asked && <Found asked={asked} found={searchGuides(guidesFor(env()), asked)} />}
      <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
        {guideSources().map(({ slug, title, description }) => (
          <li key={slug} className="bg-raised p-5">
            <h2>
              <a href={`${GUIDES_PATH}/${slug}`}>{title}</a>
            </h2>
            <p className="mt-1.5 text-quiet">{description}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
