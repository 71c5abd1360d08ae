import { expect, test } from 'vitest'
import { pageBehind } from './prefetch'

const HERE = 'https://portal.example.com/keys?sort=name#top'
const link = (href: string, { target = '', attributes = [] as string[] } = {}) => ({
  href: new URL(href, HERE).href,
  target,
  hasAttribute: (name: string) => attributes.includes(name),
})

test.each(['/logs', '/invoices?status=overdue', '/mcp/console', '/keys'])('pageBehind: %s is prefetched', (href) => {
  expect(pageBehind(link(href), HERE)).toBe(new URL(href, HERE).href)
})

test.each([
  '/api/v1/invoices',
  '/mcp/tools.json',
  '/developers/guides/quick-start.md',
  // It would begin a sign-in twice, and only one is kept.
  '/sign-in/sso/harpeth-roofing/start?next=%2F',
  '#rows',
  'https://example.org/',
  'mailto:ana@example.com',
])('pageBehind: %s is not', (href) => {
  expect(pageBehind(link(href), HERE)).toBeUndefined()
})

test('pageBehind: neither a download nor a link that opens a new window', () => {
  expect(pageBehind(link('/invoices/export', { attributes: ['download'] }), HERE)).toBeUndefined()
  expect(pageBehind(link('/logs', { target: '_blank' }), HERE)).toBeUndefined()
})
