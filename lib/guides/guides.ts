import { baseUrls, type Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { type GuideSource, guideSources, readDocument } from './source'

/** A guide for this deployment: its Markdown holds the configured addresses and limits. */
export type Guide = Omit<GuideSource, 'body'> & { markdown: string }

/** The path of the guides, under the portal. */
export const GUIDES_PATH = '/developers/guides'

/** A line of its own in a guide; the page shows there whether the reader's first request has come. */
export const FIRST_REQUEST = '{{first-request}}'

/** The API changelog without its title, its headings one level down so that they stand under one of the guide's. */
const changelog = () =>
  readDocument('docs', 'api-changelog.md')
    .replace(/^# .*\n+/, '')
    .replace(/^##/gm, '###')
    .trim()

/** Returns what `{{name}}` in a guide stands for. */
function valuesOf(settings: Env): Record<string, () => string> {
  const { api, apiPrefix, mcp, portal } = baseUrls(settings)
  const { dataApi, leads, mcp: calls, rag } = settings.limits
  return {
    api: () => `${api}${apiPrefix}`,
    webhooks: () => `${api}/api/webhooks/leads`,
    mcp: () => mcp,
    'mcp-host': () => mcp.replace(/\/mcp$/, ''),
    portal: () => portal,
    explorer: () => `${settings.hosts.portal ? portal : api}/developers/api`,
    'limit.api': () => String(dataApi),
    'limit.leads': () => String(leads),
    'limit.mcp': () => String(calls),
    'limit.search': () => String(rag),
    changelog,
    'first-request': () => FIRST_REQUEST,
  }
}

/**
 * Fills in what depends on the deployment.
 * @throws Error for a name nothing stands behind: a test reads every guide
 */
export function fillIn(text: string, settings: Env): string {
  const values = valuesOf(settings)
  return text.replace(/\{\{([a-z.-]+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (!value) throw new Error(`Nothing stands behind {{${name}}} in the guides`)
    return value()
  })
}

/** The marks that say how a block is tested are for the test. */
const TEST_MARK = /\n{0,2}<!-- test\b[^<>]*-->/g

const shown = (text: string) => text.replace(TEST_MARK, '')

/** Returns every guide in its order, as this deployment shows it. */
export const guidesFor = (settings: Env): Guide[] =>
  guideSources().map(({ body, ...about }) => ({ ...about, markdown: fillIn(shown(body), settings) }))

/** A guide by its name; undefined when there is none. */
export const guideFor = (slug: string, settings: Env): Guide | undefined =>
  guidesFor(settings).find((guide) => guide.slug === slug)

/** @throws ServiceError `not_found` where there is no guide of this name */
export function requireGuide(slug: string, settings: Env): Guide {
  const guide = guideFor(slug, settings)
  if (guide) return guide
  throw new ServiceError('not_found', `There is no such guide. ${GUIDES_PATH} lists all there are.`)
}

/** A guide as a Markdown document by itself: title, what it is, text. */
export const guideDocument = ({ title, description, markdown }: Guide): string =>
  `# ${title}\n\n> ${description}\n\n${markdown.replace(`${FIRST_REQUEST}\n\n`, '').trim()}\n`
