import { GUIDES_PATH } from '@/lib/guides/guides'
import { guideSources } from '@/lib/guides/source'
import { PUBLIC_PLACES, type Site, urlOf } from '@/lib/mcp/documents/site'

const xml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The places worth finding: pages, and documents that describe the service. Those that only machines of ours ask for are left out. */
const FOUND = [
  'home',
  'console',
  'info',
  'tools',
  'discovery',
  'openapi',
  'llms',
] as const satisfies (keyof typeof PUBLIC_PLACES)[]

/** `GET /sitemap.xml`: the public pages of the portal and the documents of the MCP server (sitemaps.org 0.9). */
export function sitemap(site: Site, updatedAt: Date): string {
  const guides = ['', ...guideSources().map(({ slug }) => `/${slug}`)].map((path) => `${GUIDES_PATH}${path}`)
  const pages = ['/', '/status', '/developers/api', ...guides].map((path) => `${site.portal}${path}`)
  const urls = [...new Set([...pages, ...FOUND.map((place) => urlOf(site, place))])]
  const day = updatedAt.toISOString().slice(0, 10)
  const lines = urls.map((url) => `  <url><loc>${xml(url)}</loc><lastmod>${day}</lastmod></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</urlset>
`
}

/** `GET /robots.txt` (RFC 9309): data needs a key, so there is nothing for a crawler under /api but its description. */
export const robots = (site: Site): string => `User-agent: *
Allow: /api/v1/openapi
Disallow: /api/
Disallow: /mcp/rpc
Disallow: /mcp/sse

Sitemap: ${urlOf(site, 'sitemap')}
`

/** The months for which what it says may be relied on, counted from the beginning of a month so that it changes once in one. */
const MONTHS = 6

/** `GET /.well-known/security.txt` (RFC 9116). */
export function securityTxt(site: Site, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS, 1))
  return `Contact: mailto:security@${site.mailHost}
Expires: ${expires.toISOString().replace('.000', '')}
Preferred-Languages: en
${site.origins.map((origin) => `Canonical: ${origin}${PUBLIC_PLACES.security.path}`).join('\n')}
`
}
