import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locate } from '@/lib/knowledge/permits/locate'
import { estimateTimeline } from '@/lib/knowledge/permits/timeline'
import { loadPermits } from '@/lib/load/permits/load'
import { openTestDatabase } from '@/lib/testing/database'

const NOW = new Date('2026-11-21T12:00:00Z')
const path = join(import.meta.dirname, 'permits', 'us-zz-demonstration')

test('the demonstration’s permits load completely, are labeled, and give a timeline and results near an address', async () => {
  const db = await openTestDatabase()
  try {
    const jurisdiction = 'us-zz-demonstration'
    const file = { jurisdiction, format: 'blds', map: `${path}.json`, path: `${path}.csv` } as const
    const { faults, loaded } = await loadPermits(db, file)
    expect([faults, loaded?.permits]).toEqual([[], 460])
    const timeline = await estimateTimeline(db, { jurisdiction, permitType: 'Roof' }, NOW)
    expect(timeline).toMatchObject({ status: 'estimated', n: 52, days: { p10: null, p50: 5, p90: null } })
    expect(timeline.intervals?.p50).toEqual({ low: 4, high: 5 })
    expect(timeline.jurisdictionName).toContain('fictional')
    const all = await estimateTimeline(db, { jurisdiction }, NOW)
    expect(all.days?.p10 ?? Number.NaN).toBeLessThan(all.days?.p90 ?? Number.NaN)
    expect(await locate(db, '50 Pattern Court, Sampleton', undefined)).toMatchObject({
      by: 'address',
      latitude: 33.016,
    })
  } finally {
    await db.close()
  }
})
