import { expect, test } from 'vitest'
import { isOurs, ServiceError, toServiceError } from './errors'
import { isDiskFull } from './overload'

const coded = (code: string) => Object.assign(new Error('refused'), { code })
const told = (fault: unknown) => {
  const { code, status, headers } = toServiceError(fault)
  return [code, status, headers?.['retry-after']]
}

test.each([
  ['53100', '600'],
  ['ENOSPC', '600'],
  ['53000', '2'],
  ['53200', '2'],
  ['53300', '2'],
  ['53400', '2'],
  ['57014', '2'],
  ['55P03', '2'],
  ['40001', '2'],
  ['40P01', '2'],
  ['25P03', '2'],
  ['25P04', '2'],
  ['EMFILE', '2'],
  ['08000', '5'],
  ['08001', '5'],
  ['08003', '5'],
  ['08004', '5'],
  ['08006', '5'],
  ['08P01', '5'],
  ['25006', '5'],
  ['57P01', '5'],
  ['57P02', '5'],
  ['57P03', '5'],
  ['57P05', '5'],
  ['58030', '5'],
  ['ECONNREFUSED', '5'],
  ['ECONNRESET', '5'],
  ['ETIMEDOUT', '5'],
  ['EAI_AGAIN', '5'],
])('%s is 503, to be tried again after %s s, and logged', (code, seconds) => {
  const fault = new Error('Failed query', { cause: coded(code) })
  expect(told(fault)).toEqual(['busy', 503, seconds])
  expect(isOurs(toServiceError(fault))).toBe(true)
  expect(isDiskFull(fault)).toBe(seconds === '600')
})

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'the WebSocket to the database failed: no reason given',
])('what a driver says without a code: %s', (message) => expect(told(new Error(message))).toEqual(['busy', 503, '5']))

test.each(['23505', '22P02', '42P01', '42501', 'XX000', '57P04', 'ENOENT', 'ERR_INVALID_ARG_TYPE'])(
  '%s is a fault of the program',
  (code) => expect(told(coded(code))).toEqual(['internal', 500, undefined]),
)

test('what was said to the client on purpose stays as it is, and is no fault of ours', () => {
  const busy = new ServiceError('busy', 'Another file is being loaded.')
  expect(toServiceError(busy)).toBe(busy)
  expect(isOurs(busy)).toBe(false)
})
