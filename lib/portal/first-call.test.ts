import { expect, test } from 'vitest'
import { firstCall, readFirstRequest, withKey } from './first-call'

const SEEN = { state: 'seen', at: '2026-11-21T10:00:00.000Z', method: 'GET', path: '/api/v1/invoices', status: 200 }

test('the route’s response is read; when signed out it says why', () => {
  expect(readFirstRequest(200, { state: 'waiting' })).toEqual({ state: 'waiting' })
  expect(readFirstRequest(200, { ...SEEN, more: 1 })).toEqual(SEEN)
  const signedOut = { state: 'signed-out', message: 'Sign in first.' }
  expect(readFirstRequest(200, signedOut)).toEqual(signedOut)
  expect(readFirstRequest(403, { error: 'Ask an administrator.', code: 'forbidden' })).toEqual({
    state: 'refused',
    message: 'Ask an administrator.',
  })
})

test.each([
  [500, { error: 'x' }],
  [200, null],
  [200, 'seen'],
  [200, { ...SEEN, status: '200' }],
  [200, { ...SEEN, at: undefined }],
  [401, {}],
  [200, { state: 'signed-out' }],
])('%i with %j does not count as an answer', (status, body) =>
  expect(readFirstRequest(status, body)).toEqual({ state: 'lost' }),
)

const addresses = {
  api: 'https://api.example.com',
  leads: 'https://api.example.com/webhooks/leads/inbound',
  mcp: 'https://mcp.example.com/mcp',
}

test.each<[string[], string | null, string]>([
  [['read:customers', 'read:invoices'], 'integration', "'https://api.example.com/customers?limit=1'"],
  [['read:invoices', 'write:leads'], null, "'https://api.example.com/invoices?limit=1'"],
  [['read:materials'], null, "'https://api.example.com/metadata'"],
  [['write:leads'], 'lead-source', "'https://api.example.com/webhooks/leads/inbound'"],
  [['read:customers'], 'agent', "'https://mcp.example.com/mcp/rpc'"],
])('a key with %j as %s: the first call goes to %s, with the key in a variable', (scopes, preset, url) => {
  const command = firstCall(scopes, preset, addresses)
  expect(command).toContain(url)
  expect(command).toContain('-H "x-api-key: $PLUMBLINE_KEY"')
})

test('a key for URLs stands in the URL, and in no header', () => {
  const command = firstCall(['write:leads'], 'lead-url', addresses)
  expect(command).toContain('"https://api.example.com/webhooks/leads/zapier.$PLUMBLINE_KEY"')
  expect(command).not.toContain('x-api-key')
})

test('the key is assigned to the variable that the command reads', () => {
  expect(withKey('curl', 'plb_live_x')).toBe("export PLUMBLINE_KEY='plb_live_x'\ncurl")
})
