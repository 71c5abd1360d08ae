import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { makeTenant } from '@/lib/testing/tenant'
import { getCashFlow } from './cash-flow'
import { getProjectFinancials } from './project-financials'
import { getReceivablesAging } from './receivables-aging'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T17:00:00Z')

type Example = { word: string; files: Record<string, string>; claims: string[] }

/** The examples of docs/accounting.md: files by name, then what they give. */
function examples(): Example[] {
  const text = readFileSync(new URL('../../../docs/accounting.md', import.meta.url), 'utf8')
  return text.split(/^## /m).flatMap((section): Example[] => {
    const [, block] = /```books\n([\s\S]*?)```/.exec(section) ?? []
    if (block === undefined) return []
    const [given = '', claims = ''] = block.split('gives\n')
    const [, ...parts] = given.split(/^(\w+\.csv)\n/m)
    const files = Object.fromEntries(parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? '']] : [])))
    return [{ word: section.split('\n')[0] ?? '', files, claims: claims.trim().split('\n') }]
  })
}

const EXAMPLES = examples()

test('docs/accounting.md: each word but Status and Leads has an example, with files and figures', () => {
  expect(EXAMPLES).toHaveLength(12)
  for (const { files, claims } of EXAMPLES) {
    expect(Object.keys(files)).toContain('invoices.csv')
    expect(claims.length).toBeGreaterThan(1)
  }
})

/** The figures of a claim such as `status paid, unpaid 0.00`, amounts as numbers. */
const figuresOf = (text: string) =>
  Object.fromEntries(
    text.split(', ').map((pair) => {
      const [name = '', value = ''] = pair.split(' ')
      return [name, value === 'null' ? null : /^-?[\d.]+$/.test(value) ? Number(value) : value]
    }),
  )

test.each(EXAMPLES.map((example) => [example.word, example] as const))('%s', async (_, { files, claims }) => {
  const { contractor, load } = await makeTenant(db)
  const report = await load({
    'customers.csv': 'Customer ID,Name\nC1,Dana\n',
    'projects.csv': 'Project ID,Customer ID,Name,Status\nP1,C1,Roof,in_progress\n',
    ...files,
  })
  expect(report.faults).toEqual([])
  const ask = { actor: actorOf(contractor), now: NOW }
  const [project] = await rows<{ id: string }>(
    db.orm,
    sql`select id from projects where contractor_id = ${contractor.id}`,
  )
  const { answer: financials } = await answerOf(getProjectFinancials, {
    ...ask,
    input: { projectId: project?.id ?? '' },
  })
  const { answer: aging } = await answerOf(getReceivablesAging, { ...ask, input: {} })
  const told = async (what: string) => {
    const [, number] = /^invoice (\w+)$/.exec(what) ?? []
    if (number !== undefined) return financials.invoices.find((invoice) => invoice.number === number)
    if (what === 'aging') return aging.total
    if (what === 'project') return financials
    const [, from, to] = /^cash flow(?: (?:(\S+) )?to (\S+))?$/.exec(what) ?? []
    const { answer } = await answerOf(getCashFlow, { ...ask, input: { from, to } })
    return { ...answer.total, unpaidAtEnd: answer.unpaidAtEnd }
  }
  for (const claim of claims) {
    const [what = '', figures = ''] = claim.split(': ')
    if (what === 'contradictions') expect(report.contradictions?.map(({ value }) => value)).toEqual(figures.split(', '))
    else expect(await told(what), claim).toMatchObject(figuresOf(figures))
  }
  const isNamed = claims.some((claim) => claim.startsWith('contradictions'))
  if (!isNamed) expect(report.contradictions).toBeUndefined()
  const numbers = claims.flatMap((claim) => /^invoice (\w+):/.exec(claim)?.[1] ?? [])
  if (numbers.length > 0) expect(financials.invoices.map(({ number }) => number).sort()).toEqual(numbers.sort())
})
