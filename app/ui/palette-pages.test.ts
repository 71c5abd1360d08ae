import { expect, test } from 'vitest'
import { matching } from '@/lib/portal/palette'
import { navigationFor } from './navigation'
import { actionsFor, pagesBelow } from './palette-pages'

const places = { portal: '', explorer: '/developers/api', console: '/mcp/console', connects: true }
const known = (role: 'admin' | 'viewer') => [
  ...navigationFor(role, places).flatMap(({ pages }) => pages),
  ...pagesBelow(role, places),
  ...actionsFor(role, places),
]
const found = (text: string, role: 'admin' | 'viewer' = 'admin') => matching(known(role), text).map(({ name }) => name)

test('the palette lists nothing twice', () => {
  const all = known('admin').map(({ name, href }) => `${name} ${href}`)
  expect(new Set(all).size).toBe(all.length)
})

test.each([
  ['unpaid', 'Who owes'],
  ['balance', 'Open invoices'],
  ['overdue invoices', 'Show overdue invoices'],
  ['invite', 'Invite a person'],
  ['export', 'Export invoices'],
  ['take back', 'Take back a load'],
  ['create key', 'Create key'],
])('the palette finds by %j: %s', (text, name) => {
  expect(found(text)).toContain(name)
})

test('a viewer is offered what a viewer may do', () => {
  expect(found('invite', 'viewer')).toEqual([])
  expect(found('export invoices', 'viewer')).toEqual(['Export invoices'])
})
