import { expect, test } from 'vitest'
import { routeFiles } from '@/lib/testing/answer-of'
import { GUIDE_SOURCE_PATH } from './endpoint'
import { isPage, pagePolicy } from './page-policy'

/** The paths of endpoints, each name in brackets for itself. A guide's Markdown is routed with its ending. */
const paths = Object.keys(routeFiles)
  .filter((page) => !page.startsWith('/('))
  .map((page) => page.slice(0, page.lastIndexOf('/')))
  .map((path) => (path.startsWith(GUIDE_SOURCE_PATH) ? `${path}.md` : path))

test.each(paths)('isPage: %s is an endpoint, not a page', (path) => {
  expect(isPage(path)).toBe(false)
})

test.each([
  '/',
  '/keys',
  '/logs/req_1',
  '/developers/guides/quick-start',
  '/mcp/console',
  '/mcp/console/',
  '/nothing-here',
  '/nothing.html',
])('isPage: %s is one', (path) => {
  expect(isPage(path)).toBe(true)
})

test.each(['/llms.txt', '/developers/guides/quick-start.md', '/api/v1/customers', '/mcp/consoles', '/_next/data/x'])(
  'isPage: %s is not a page',
  (path) => {
    expect(isPage(path)).toBe(false)
  },
)

test('pagePolicy: no script without the nonce, no eval, no inline style', () => {
  const policy = pagePolicy('abc')['content-security-policy']
  expect(policy).toContain("script-src 'nonce-abc' 'strict-dynamic';")
  expect(policy).not.toMatch(/unsafe/)
})

test('pagePolicy: passkeys are allowed on our own pages only', () => {
  const features = pagePolicy('abc')['permissions-policy'].split(', ')
  expect(features).toEqual(
    expect.arrayContaining(['publickey-credentials-create=(self)', 'publickey-credentials-get=(self)']),
  )
})
