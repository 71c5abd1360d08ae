import { expect, test } from 'vitest'
import { readFirstRequest } from './first-request'

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
