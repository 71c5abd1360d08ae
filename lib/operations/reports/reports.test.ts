import { expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../define'
import { getCashFlow } from './cash-flow'
import { getLeadPerformance } from './lead-performance'
import { getProjectFinancials } from './project-financials'
import { getReceivablesAging } from './receivables-aging'

const reports: [string, AnyOperation][] = [
  getProjectFinancials,
  getReceivablesAging,
  getCashFlow,
  getLeadPerformance,
].map((operation) => [operation.name, operation])

test.each(reports)('%s: arguments nobody knows are refused, those it has are described', (_, { input }) => {
  const schema = z.toJSONSchema(input, { io: 'input' })
  expect(schema.additionalProperties).toBe(false)
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    expect(Object(property).description, `argument ${name}`).toEqual(expect.any(String))
})

test.each(reports)('%s: every sum says what it is, and no answer names the contractor', (_, { output }) => {
  const schema = z.toJSONSchema(output, { io: 'output' })
  const total = Object(schema.properties).total ?? schema
  for (const [name, property] of Object.entries(Object(total).properties))
    if (Object(property).type === 'number') expect(Object(property).description, name).toEqual(expect.any(String))
  expect(JSON.stringify(schema)).not.toContain('contractorId')
})
