import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { ERRORS } from '@/lib/core/errors'
import { DATA_API } from '@/lib/core/service'
import { openApiDocument } from '@/lib/http/openapi/document'
import { operations } from '@/lib/operations/registry'
import { fillIn, guideDocument, guideFor, guidesFor, requireGuide } from './guides'
import { fenceOf, headingsOf, parseMarkdown } from './markdown'
import { guideSources, parseGuide } from './source'

const LOCAL = loadEnv({ PORT: '4000' })
const HOSTED = loadEnv({
  DATA_API_HOST: 'api.example.com',
  MCP_HOST: 'mcp.example.com',
  PORTAL_HOST: 'app.example.com',
})

test('front matter has title, description and order; anything else is reported', () => {
  expect(parseGuide('x', '---\ntitle: A: b\ndescription: C\norder: 3\n---\n\n## D\n')).toEqual({
    slug: 'x',
    title: 'A: b',
    description: 'C',
    order: 3,
    body: '## D\n',
  })
  expect(() => parseGuide('x', '# No front matter')).toThrow('The guide x has no front matter')
  expect(() => parseGuide('x', '---\ntitle: A\nauthor: B\norder: 1\n---\n\nText')).toThrow(
    /description[\s\S]*author|author[\s\S]*description/,
  )
})

test('addresses and limits come from the settings; an unknown placeholder is an error', () => {
  expect(fillIn('{{api}} {{mcp}} {{portal}} {{limit.api}} {{webhooks}}', LOCAL)).toBe(
    'http://localhost:4000/api/v1 http://localhost:4000/mcp http://localhost:4000 10 http://localhost:4000/api/webhooks/leads',
  )
  expect(fillIn('{{api}} {{mcp}} {{portal}} {{explorer}}', HOSTED)).toBe(
    'https://api.example.com https://mcp.example.com/mcp https://app.example.com https://app.example.com/developers/api',
  )
  expect(() => fillIn('{{nothing}}', LOCAL)).toThrow('{{nothing}}')
  expect(fillIn('{"a":{"b":1}} {{A}}', LOCAL)).toBe('{"a":{"b":1}} {{A}}')
})

test('the guides are in order, with each order number used once', () => {
  const orders = guideSources().map(({ order }) => order)
  expect(orders).toEqual(orders.map((_, at) => at + 1))
})

describe.each(guideSources().map(({ slug }) => slug))('%s', (slug) => {
  test('nothing of the tests or of other deployments is shown', () => {
    const guide = guideFor(slug, HOSTED)
    const text = guide ? guideDocument(guide) : ''
    expect(text).toMatch(/^# .+\n\n> .+\n\n/)
    expect(text).not.toMatch(/<!--|\{\{[a-z]|localhost/)
  })

  test('its headings have unique anchors, and links to guides point to existing ones', () => {
    const anchorsOf = (name: string) =>
      headingsOf(parseMarkdown(guideFor(name, LOCAL)?.markdown ?? '')).map(({ anchor }) => anchor)
    const anchors = anchorsOf(slug)
    expect(anchors.length).toBeGreaterThan(1)
    expect(new Set(anchors).size).toBe(anchors.length)
    for (const [, to = '', anchor] of (guideFor(slug, LOCAL)?.markdown ?? '').matchAll(
      /\]\(([\w-]+)\.md(?:#([\w-]+))?\)/g,
    )) {
      expect(guideFor(to, LOCAL), to).toBeDefined()
      if (anchor) expect(anchorsOf(to), `${to}#${anchor}`).toContain(anchor)
    }
  })

  test('every code block has a language, a title, and a comment that says how it is tested', () => {
    const tokens = parseMarkdown(guideSources().find((guide) => guide.slug === slug)?.body ?? '')
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'code') continue
      const { language, title } = fenceOf(token.lang)
      expect(language, token.text).toMatch(/^(sh|ts|python|json|http)$/)
      expect(title, token.text).not.toBe('')
      const next = tokens.slice(at + 1).find(({ type }) => type !== 'space')
      expect(next?.raw, token.text).toMatch(/^<!-- test\n.+/)
    }
  })
})

test('the guide lists every error code with its status, and no others', () => {
  const { markdown } = guideFor('errors-and-limits', LOCAL) ?? { markdown: '' }
  const rows = [...markdown.matchAll(/^\| (\d{3}) +\| `(\w+)` /gm)].map(([, status, code]) => [code, Number(status)])
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])),
  )
  expect(rows).toHaveLength(Object.keys(ERRORS).length)
})

test('tools named in guides exist', () => {
  const names = new Set(Object.values(operations).map(({ name }) => name))
  const verbs = /`((?:list|get|search|estimate|check|analyze|price|create)_\w+)`/g
  const ofTools = guidesFor(LOCAL).filter(({ slug }) => slug === 'agents' || slug === 'materials-permits-search')
  const named = ofTools.flatMap(({ markdown }) => [...markdown.matchAll(verbs)].map(([, name = '']) => name))
  expect(named.length).toBeGreaterThan(5)
  for (const name of named) expect(names, name).toContain(name)
})

test('the changelog guide has the file’s contents, with the status from the API description', () => {
  const text = readFileSync('docs/api-changelog.md', 'utf8')
  const entries = text.match(/^- .+$/gm) ?? []
  expect(entries.length).toBeGreaterThan(5)
  const { markdown } = requireGuide('changelog', LOCAL)
  for (const entry of entries) expect(markdown).toContain(entry)
  expect(markdown.replaceAll('**', '')).toContain(`Status: ${DATA_API.status}, last updated ${DATA_API.updated}.`)
  const { info } = openApiDocument([], '3.1') as { info: { description: string } }
  expect(info.description).toContain(`${DATA_API.status}, last updated ${DATA_API.updated}`)
})
