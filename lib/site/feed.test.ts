import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { requireGuide } from '@/lib/guides/guides'
import { headingsOf, parseMarkdown } from '@/lib/guides/markdown'
import { changelogFeed } from './feed'

const portal = 'https://app.example.com'

test('every changelog entry is in the feed with its date, and links to its heading in the guide', () => {
  const changelog = readFileSync('docs/api-changelog.md', 'utf8')
  const feed = changelogFeed({ portal }, changelog)
  const anchors = headingsOf(parseMarkdown(requireGuide('changelog', loadEnv({})).markdown)).map(({ anchor }) => anchor)
  const links = [...feed.matchAll(/<guid isPermaLink="true">([^<]+)</g)].map(([, link = '']) => new URL(link))
  expect(links).toHaveLength(changelog.match(/^## /gm)?.length ?? 0)
  for (const { origin, hash } of links) expect([origin, anchors.includes(hash.slice(1))]).toEqual([portal, true])
  expect(feed.match(/<pubDate>/g)).toHaveLength(changelog.match(/^## .*\d{4}-\d{2}-\d{2}/gm)?.length ?? 0)
  expect(feed).toContain('<pubDate>Sun, 22 Nov 2026 00:00:00 GMT</pubDate>')
})

test('the text of an entry stays text in the feed and in feed readers', () => {
  const feed = changelogFeed({ portal }, '## 2027-01-02\n\n- `a<b>` & "c"\n')
  expect(feed).toContain('&#60;li&#62;a&#38;#60;b&#38;#62; &#38;#38; &#38;#34;c&#38;#34;&#60;/li&#62;')
})
