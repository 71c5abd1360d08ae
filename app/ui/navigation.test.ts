import { expect, test } from 'vitest'
import { inWords, RESOURCE_NAMES } from '@/lib/core/resource-names'
import { sentence } from './data-column'
import { isUnder, navigationFor, type Role } from './navigation'

const places = { portal: '', explorer: '/developers/api', console: '/mcp/console', connects: true }
const shown = (role: Role | undefined, at = places) =>
  Object.fromEntries(navigationFor(role, at).map(({ name, pages }) => [name, pages.map((page) => page.name)]))
const BUSINESS = ['Home', 'Reports', 'Leads', ...RESOURCE_NAMES.map((name) => sentence(inWords(name)))]

test('navigationFor: a visitor sees only the developer pages, by their full names', () => {
  expect(shown(undefined)).toEqual({ Developers: ['API explorer', 'MCP console', 'Guides'] })
})

test('navigationFor: a viewer sees the business and its assistants, a developer also what is theirs, an administrator everything', () => {
  expect(shown('viewer')).toEqual({ Business: BUSINESS, Connections: ['Assistants'] })
  expect(shown('developer')).toEqual({
    Business: BUSINESS,
    Connections: ['Assistants'],
    Developers: ['Logs', 'Usage', 'Explorer', 'Console', 'Guides'],
    Contractor: ['Alerts'],
  })
  expect(shown('admin')).toEqual({
    Business: BUSINESS,
    Connections: ['Load files', 'QuickBooks', 'Assistants', 'Webhooks'],
    Developers: ['Keys', 'Logs', 'Usage', 'Explorer', 'Console', 'Guides'],
    Contractor: ['Team', 'Audit', 'Alerts'],
  })
})

test('navigationFor: nobody sees assistants where programs cannot be connected', () => {
  expect(shown('viewer', { ...places, connects: false })).toEqual({ Business: BUSINESS })
})

test('navigationFor: links are absolute when the portal has its own host; a page keeps its path', () => {
  const away = { ...places, portal: 'https://portal.example.com', console: 'https://mcp.example.com/console' }
  const pages = navigationFor('admin', away).flatMap((group) => group.pages)
  expect(pages[0]?.href).toBe('https://portal.example.com/')
  expect(pages.find(({ name }) => name === 'Console')).toMatchObject({
    href: 'https://mcp.example.com/console',
    path: '/mcp/console',
  })
})

test.each([
  ['/', ['Home']],
  ['/invoices', ['Invoices']],
  ['/invoices/inv_1', ['Invoices']],
  ['/data/load', ['Load files']],
  ['/data/sources/src_1', ['Load files']],
  ['/keys/new', ['Keys']],
  ['/account', []],
])('isUnder: on %s the navigation marks %j', (path, marked) => {
  const pages = navigationFor('admin', places).flatMap((group) => group.pages)
  expect(pages.filter((page) => isUnder(path, page)).map(({ name }) => name)).toEqual(marked)
})
