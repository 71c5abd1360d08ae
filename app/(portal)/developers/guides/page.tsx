import type { Metadata } from 'next'
import { connection } from 'next/server'
import { PageHead } from '@/app/ui/card'
import { GUIDES_PATH } from '@/lib/site/guides/guides'
import { guideSources } from '@/lib/site/guides/source'

export const metadata: Metadata = {
  title: 'Guides',
  description: 'From the first request to a sync that misses nothing: keys, lists, leads, agents, errors and limits.',
  alternates: { canonical: GUIDES_PATH },
}

export default async function GuidesPage() {
  await connection()
  return (
    <>
      <PageHead
        title="Guides"
        text="Each takes one sitting. The tests run every code block against this service. Add .md to a guide's address to get it as Markdown."
      />
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
