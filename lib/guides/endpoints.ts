import { env } from '@/lib/core/env'
import { documentEndpoint, rendered } from '@/lib/wire/document'
import { type Endpoint, GUIDE_SOURCE_PATH } from '@/lib/wire/endpoint'
import { guideDocument, requireGuide } from './guides'

/** The last segment of a URL, with or without the suffix: Next tells a route the address that was asked for, not where it led. */
const slugOf = (url: string) => new URL(url).pathname.split('/').at(-1)?.replace(/\.md$/, '') ?? ''

/** `GET /developers/guides/<slug>.md`: a guide as Markdown, for everyone. */
export const guideSource: Endpoint = documentEndpoint({
  path: `${GUIDE_SOURCE_PATH}/{slug}`,
  render: ({ url }) => rendered('text/markdown; charset=utf-8', guideDocument(requireGuide(slugOf(url), env()))),
})

export const guideEndpoints: Endpoint[] = [guideSource]
