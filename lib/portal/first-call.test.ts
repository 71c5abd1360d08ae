import { expect, test } from 'vitest'
import { firstCall, withKey } from './first-call'

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
