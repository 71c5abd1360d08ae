import { expect, test } from 'vitest'
import { afterSwitch } from './switched'

test.each([
  ['/', '/'],
  ['/keys', '/keys'],
  ['/invoices', '/invoices'],
  ['/data/load', '/data/load'],
  ['/leads/lab', '/leads/lab'],
  ['/account', '/account'],
  ['/developers/guides/leads', '/developers/guides/leads'],
  ['/logs?status=4xx&key=key_01k9zq2v6n8m4t5c3b7x1w0jd2&before=abc', '/logs?status=4xx'],
  ['/invoices?status=overdue&customerId=cus_01k9zq2v6n8m4t5c3b7x1w0jd2', '/invoices?status=overdue'],
  ['/invoices/inv_01k9zq_1732000000000', '/invoices'],
  ['/invoices/inv_01k9zq_1732000000000', '/invoices'],
  ['/leads/dlv_01k9zq2v6n8m4t5c3b7x1w0jd2', '/leads'],
  ['/logs/req_0198c6d2-0000-7000-8000-000000000000', '/logs'],
])('afterSwitch: %s redirects to %s', (from, to) => {
  expect(afterSwitch(from, 'admin')).toBe(to)
})

test('afterSwitch: a page that the new role may not open redirects to the start page', () => {
  expect(afterSwitch('/keys', 'viewer')).toBe('/')
  expect(afterSwitch('/data/load', 'viewer')).toBe('/')
  expect(afterSwitch('/developers/guides/leads', 'viewer')).toBe('/developers/guides/leads')
  expect(afterSwitch('/projects/prj_1', 'viewer')).toBe('/projects')
})
