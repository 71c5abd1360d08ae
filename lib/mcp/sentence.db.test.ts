import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { loadPermitText } from '@/lib/testing/permits'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/**
 * The question is "How much shingle for a 30 by 40 ft gable roof at 6/12, what does it cost from my price book, do I need a permit in
 * Nashville, and how long will it take?"
 */
test('a question of a contractor is answered by tool calls alone, each figure traceable', async () => {
  const { key, load } = await makeTenant(db)
  const { text } = await key(['read:materials', 'read:permits'])
  const tool = async (name: string, args: object) => {
    const { status, body } = await call('/mcp/rpc', {
      key: text,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    })
    expect([status, body.result?.isError], JSON.stringify(body)).toEqual([200, undefined])
    return body.result.structuredContent
  }
  await load({
    'materials.csv': [
      'Item,Name,Trade,Unit,Unit Cost,Supplier,Date',
      `shingle-architectural,Architectural shingles,roofing,bundle,39.70,River Supply,${new Date().toISOString().slice(0, 10)}`,
    ].join('\n'),
  })
  // Ten re-roofs, issued after 1 to 10 days, and no issue dates for the city in the question.
  const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}`
  const permits = (issued: (n: number) => string) =>
    Array.from({ length: 40 }, (_, i) => ({
      PermitNum: `R-${i}`,
      AppliedDate: day(1),
      IssuedDate: issued((i % 10) + 2),
      PermitType: 'Roof',
    }))
  const csv = (rows: Record<string, string>[]) =>
    [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(',')).join('\n')
  await loadPermitText(db, csv(permits(() => '')), { jurisdiction: 'us-tn-nashville' })
  await loadPermitText(db, csv(permits(day)), { jurisdiction: 'us-tn-springfield' })

  const roof = { kind: 'roofing', length: 40, width: 30, rise: 6 }
  const { assemblies } = await tool('estimate_takeoff', { assemblies: [roof] })
  const shingles = assemblies[0].lines.find(({ key }: { key: string }) => key === 'shingle-architectural')
  // 40 x 30 x sqrt(1 + 0.25) = 1,341.64 ft2 = 13.416 squares; plus ten percent is 14.758 squares, three bundles each: 45.
  expect(shingles).toMatchObject({ netQuantity: 13.416, wastePercent: 10, orderQuantity: 45, orderUnit: 'bundle' })
  expect(assemblies[0].notCounted).toContain('tear-off and disposal')

  const priced = await tool('price_project', { assemblies: [roof] })
  const [line] = priced.lines
  expect(line).toMatchObject({ item: 'shingle-architectural', quantity: 45, suppliers: ['River Supply'] })
  // 45 x 39.70; what the book lacks is reported, not guessed.
  expect(line.total.expected).toBe(1786.5)
  expect(priced.missing.map(({ item }: { item: string }) => item)).toContain('ridge-cap')

  const check = { jurisdiction: 'us-tn-nashville', workTypes: ['reroof'] }
  const { requirements } = await tool('check_permit_requirements', check)
  expect(requirements[0]).toMatchObject({ workType: 'reroof' })
  expect(JSON.stringify(requirements[0])).toMatch(/https:\/\//)

  const honest = await tool('estimate_permit_timeline', { jurisdiction: 'us-tn-nashville', permitType: 'Roof' })
  expect(honest).toMatchObject({ status: 'not_enough_data' })
  expect(JSON.stringify(honest)).toContain('issue date')
  const known = await tool('estimate_permit_timeline', { jurisdiction: 'us-tn-springfield', permitType: 'Roof' })
  // Forty permits, issued 1 to 10 days after application, four each: the median is between 5 and 6.
  expect(known).toMatchObject({ n: 40, days: { p50: 5.5 } })
})
