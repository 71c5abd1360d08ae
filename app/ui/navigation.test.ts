import { expect, test } from 'vitest'
import { navigationFor, type Role } from './navigation'

const places = { portal: '', explorer: '/developers/api', console: '/mcp/console', connects: false }
const names = (role: Role | undefined) =>
  navigationFor(role, places).flatMap(({ pages }) => pages.map(({ name }) => name))
const DEVELOPERS = ['API explorer', 'MCP console', 'Guides']

test('navigationFor: a visitor sees only the developer pages', () => {
  expect(names(undefined)).toEqual(DEVELOPERS)
})

test('navigationFor: keys and logs are hidden from a viewer, team and audit from all but an administrator', () => {
  expect(names('viewer')).toEqual(['Home', 'Data', ...DEVELOPERS])
  expect(names('developer')).toEqual(['Home', 'Logs', 'Usage', 'Leads', 'Data', 'Alerts', ...DEVELOPERS])
  expect(names('admin')).toEqual([
    'Home',
    'Keys',
    'Logs',
    'Usage',
    'Leads',
    'Data',
    'Alerts',
    'Webhooks',
    'Team',
    'Audit',
    ...DEVELOPERS,
  ])
})

test('navigationFor: everyone sees connections where programs can be connected, and nobody elsewhere', () => {
  for (const role of ['viewer', 'developer', 'admin'] as const) {
    const [own] = navigationFor(role, { ...places, connects: true })
    expect(own?.pages.map(({ href }) => href)).toContain('/connections')
    expect(names(role)).not.toContain('Connections')
  }
})

test('navigationFor: links are absolute when the portal has its own host', () => {
  const [own] = navigationFor('viewer', { ...places, portal: 'https://portal.example.com' })
  expect(own?.pages[0]?.href).toBe('https://portal.example.com/')
})
