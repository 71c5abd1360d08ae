import { afterEach, expect, test, vi } from 'vitest'
import { EXPLORER_SEND } from '@/lib/http/hosts'
import { type Callable, linkOf, pathAt, pathOf, placeOn, sampleOf, send } from './api-call'

const one: Callable = {
  method: 'GET',
  url: 'https://api.example.com/invoices/{id}',
  path: '/api/v1/invoices/{id}',
  needsKey: true,
  inPath: ['id'],
  bodyType: undefined,
}
const lead: Callable = {
  ...one,
  method: 'POST',
  url: 'https://api.example.com/api/webhooks/leads/inbound',
  path: '/api/webhooks/leads/inbound',
  inPath: [],
  bodyType: 'application/json',
}

afterEach(() => vi.unstubAllGlobals())

test('values go into the path or the query, escaped; blank ones are left out', () => {
  expect(pathOf(one, { id: 'a/b', contractorId: 'con 1', limit: ' ' })).toBe(
    '/api/v1/invoices/a%2Fb?contractorId=con+1',
  )
  expect(sampleOf(one, {}, '').url).toBe('https://api.example.com/invoices/{id}')
  expect(linkOf('/developers/api/get_invoice', { id: 'inv_1', limit: '' })).toBe('/developers/api/get_invoice?id=inv_1')
})

test('requests use the portal’s relay only on its own host, and only for paths that need it', () => {
  const place = placeOn('app.example.com', 'app.example.com')
  expect(placeOn('api.example.com', 'app.example.com')).toBe('')
  expect(pathAt(place, '/api/v1/invoices?limit=1')).toBe(`${EXPLORER_SEND}/v1/invoices?limit=1`)
  for (const path of ['/health', '/api/v1/openapi?version=3.0']) expect(pathAt(place, path)).toBe(path)
})

test.each([
  ['', '/api/webhooks/leads/inbound'],
  ['/developers/api/send', '/developers/api/send/webhooks/leads/inbound'],
])('with the relay path %j a request goes to %s, with the key, the body and no cookie', async (place, to) => {
  const asked = vi.fn(async () => new Response('{"a":1.50}', { status: 201, headers: { 'X-Request-Id': 'req_1' } }))
  vi.stubGlobal('fetch', asked)
  expect(await send(lead, place, {}, '{}', 'plb_test_x')).toMatchObject({
    status: 201,
    headers: { 'x-request-id': 'req_1' },
    text: '{"a":1.50}',
  })
  expect(asked).toHaveBeenCalledWith(
    to,
    expect.objectContaining({
      method: 'POST',
      body: '{}',
      credentials: 'omit',
      headers: expect.objectContaining({ 'x-api-key': 'plb_test_x' }),
    }),
  )
})
