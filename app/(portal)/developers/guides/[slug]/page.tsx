import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { env } from '@/lib/core/env'
import { GUIDES_PATH, guideFor, guidesFor } from '@/lib/guides/guides'
import { headingsOf, parseMarkdown } from '@/lib/guides/markdown'
import { FEED_PATH } from '@/lib/http/endpoint'
import { LANGUAGE_COOKIE, languageOf } from '@/lib/portal/language'
import { CopyPage } from '../copy-page.client'
import { Markdown } from '../markdown'
import { GuideSearch } from '../search'

type Props = { params: Promise<{ slug: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug } = await params
  const guide = guideFor(slug, env())
  if (!guide) return {}
  const path = `${GUIDES_PATH}/${slug}`
  return {
    title: guide.title,
    description: guide.description,
    alternates: {
      canonical: path,
      types: { 'text/markdown': `${path}.md`, ...(slug === 'changelog' && { 'application/rss+xml': FEED_PATH }) },
    },
  }
}

function Contents({ markdown }: { markdown: string }) {
  const headings = headingsOf(parseMarkdown(markdown)).filter(({ depth }) => depth === 2)
  return (
    <nav aria-label="On this page" className="mb-6 text-sm lg:sticky lg:top-6 lg:order-last lg:self-start">
      <GuideSearch />
      <p className="mb-2 font-semibold">On this page</p>
      <ul className="grid gap-1.5 border-s border-line ps-3">
        {headings.map(({ text, anchor }) => (
          <li key={anchor}>
            <a href={`#${anchor}`} className="text-quiet no-underline hover:underline">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Links to the previous and the next guide. */
function PreviousAndNext({ slug }: { slug: string }) {
  const guides = guidesFor(env())
  const at = guides.findIndex((guide) => guide.slug === slug)
  const links = [
    { name: 'Previous', guide: guides[at - 1] },
    { name: 'Next', guide: guides[at + 1] },
  ]
  return (
    <nav aria-label="Other guides" className="mt-6 flex flex-wrap justify-between gap-4 border-t border-line pt-4">
      {links.map(
        ({ name, guide }) =>
          guide && (
            <a key={name} href={`${GUIDES_PATH}/${guide.slug}`} className="last:ms-auto">
              {name}: {guide.title}
            </a>
          ),
      )}
    </nav>
  )
}

export default async function GuidePage({ params }: Props) {
  const chosen = languageOf((await cookies()).get(LANGUAGE_COOKIE)?.value)
  const { slug } = await params
  const guide = guideFor(slug, env())
  if (!guide) notFound()
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_13rem] lg:gap-10">
      <Contents markdown={guide.markdown} />
      <article className="min-w-0">
        <PageHead
          under={[{ name: 'Guides', href: GUIDES_PATH }]}
          title={guide.title}
          text={guide.description}
          actions={
            <>
              {slug === 'changelog' && (
                <LinkButton size="small" href={FEED_PATH}>
                  RSS
                </LinkButton>
              )}
              <CopyPage path={`${GUIDES_PATH}/${slug}.md`} />
              <LinkButton size="small" href={`${GUIDES_PATH}/${slug}.md`}>
                Markdown
              </LinkButton>
            </>
          }
        />
        <Markdown text={guide.markdown} chosen={chosen} />
        <PreviousAndNext slug={slug} />
      </article>
    </div>
  )
}
