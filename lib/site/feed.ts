import { GUIDES_PATH } from '@/lib/guides/guides'
import { anchorOf, known, parseMarkdown, plainText } from '@/lib/guides/markdown'
import { FEED_PATH } from '@/lib/http/endpoint'
import type { Site } from '@/lib/mcp/documents/site'

/** An entry of the changelog: its heading, the day in it where there is one, and its points as text. */
type Entry = { title: string; day: string | undefined; points: string[] }

const xml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function entriesOf(changelog: string): Entry[] {
  const entries: Entry[] = []
  for (const token of parseMarkdown(changelog)) {
    if (token.type === 'heading' && token.depth === 2) {
      const title = plainText(token.tokens)
      entries.push({ title, day: /\d{4}-\d{2}-\d{2}/.exec(title)?.[0], points: [] })
    }
    if (token.type === 'list')
      for (const item of token.items) entries.at(-1)?.points.push(plainText(known(item.tokens)).replace(/\s+/g, ' '))
  }
  return entries
}

function itemOf({ title, day, points }: Entry, link: string): string {
  const html = `<ul>${points.map((point) => `<li>${xml(point)}</li>`).join('')}</ul>`
  return [
    '  <item>',
    `    <title>${xml(title)}</title>`,
    `    <link>${xml(link)}</link>`,
    `    <guid isPermaLink="true">${xml(link)}</guid>`,
    ...(day ? [`    <pubDate>${new Date(`${day}T00:00:00Z`).toUTCString()}</pubDate>`] : []),
    `    <description>${xml(html)}</description>`,
    '  </item>',
  ].join('\n')
}

/**
 * `GET /changelog.xml`: the API changelog as RSS 2.0, each entry leading to its heading in the guide.
 * @param changelog docs/api-changelog.md
 */
export function changelogFeed({ portal }: Pick<Site, 'portal'>, changelog: string): string {
  const page = `${portal}${GUIDES_PATH}/changelog`
  const items = entriesOf(changelog).map((entry) => itemOf(entry, `${page}#${anchorOf(entry.title)}`))
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>Plumbline API changelog</title>
  <link>${xml(page)}</link>
  <description>What changes for programs that call the API: additions, deprecations and their dates.</description>
  <language>en-us</language>
  <atom:link href="${xml(portal + FEED_PATH)}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel>
</rss>
`
}
