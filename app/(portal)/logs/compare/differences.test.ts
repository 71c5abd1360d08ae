import { expect, test } from 'vitest'
import { EXAMPLE } from '@/lib/operations/requests/fields'
import { differences } from './differences'

const found = { ...EXAMPLE, key: null, delivery: null }

test('differences are listed parameter by parameter; values that neither request has are left out', () => {
  const a = { ...found, query: 'limit=50&status=over%20due' }
  const b = { ...found, query: 'limit=900', status: 400, errorCode: 'bad_request', errorFields: ['limit'] }
  const told = differences(a, b)
  expect(told.filter(({ differs }) => differs)).toEqual([
    { name: 'Status', a: '200', b: '400', differs: true },
    { name: 'Error code', a: '–', b: 'bad_request', differs: true },
    { name: 'Invalid fields', a: '–', b: 'limit', differs: true },
    { name: 'Parameter limit', a: '50', b: '900', differs: true },
    { name: 'Parameter status', a: 'over due', b: '–', differs: true },
  ])
  expect(told.map(({ name }) => name)).not.toContain('MCP method')
  expect(differences(a, { ...a, query: '%E0%A4%A=x' }).at(-1)).toMatchObject({ differs: true })
})
