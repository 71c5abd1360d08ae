import { env } from '@/lib/core/env'
import { buildTime } from '@/lib/core/service'
import { derived } from '@/lib/core/shared'
import { guideDocument, requireGuide } from '@/lib/guides/guides'
import { readDocument } from '@/lib/guides/source'
import { documentEndpoint, fixedDocument, rendered } from '@/lib/http/document'
import { type Endpoint, FEED_PATH, GUIDE_SOURCE_PATH } from '@/lib/http/endpoint'
import { PUBLIC_PLACES, siteOf } from '@/lib/mcp/documents/site'
import { tools } from '@/lib/mcp/tools'
import { robots, securityTxt, sitemap } from './crawlers'
import { changelogFeed } from './feed'
import { llmsText } from './llms'

const TEXT = 'text/plain; charset=utf-8'
const XML = 'application/xml; charset=utf-8'
const RSS = 'application/rss+xml; charset=utf-8'

const site = derived(() => siteOf(env()))

/** The last segment of a URL, with or without the suffix: Next tells a route the address that was asked for, not where it led. */
const slugOf = (url: string) => new URL(url).pathname.split('/').at(-1)?.replace(/\.md$/, '') ?? ''

/** The documents that crawlers and clients look for at the root, each as an endpoint. */
export const siteDocuments = {
  llms: fixedDocument(PUBLIC_PLACES.llms.path, () => rendered(TEXT, llmsText(site(), tools))),
  sitemap: fixedDocument(PUBLIC_PLACES.sitemap.path, () => rendered(XML, sitemap(site(), buildTime()))),
  robots: fixedDocument(PUBLIC_PLACES.robots.path, () => rendered(TEXT, robots(site()))),
  security: documentEndpoint({
    path: PUBLIC_PLACES.security.path,
    render: () => rendered(TEXT, securityTxt(site(), new Date())),
  }),
} satisfies Partial<Record<keyof typeof PUBLIC_PLACES, Endpoint>>

/** `GET /developers/guides/<slug>.md`: a guide as Markdown, for everyone. */
export const guideSource: Endpoint = documentEndpoint({
  path: `${GUIDE_SOURCE_PATH}/{slug}`,
  render: ({ url }) => rendered('text/markdown; charset=utf-8', guideDocument(requireGuide(slugOf(url), env()))),
})

/** `GET /changelog.xml`: the API changelog as a feed. */
export const changelogDocument: Endpoint = fixedDocument(FEED_PATH, () =>
  rendered(RSS, changelogFeed(site(), readDocument('docs', 'api-changelog.md'))),
)
