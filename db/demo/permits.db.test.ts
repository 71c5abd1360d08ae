import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestDatabase } from '@/db/testing'
import { locate } from '@/lib/knowledge/permits/locate'
import { estimateTimeline } from '@/lib/knowledge/permits/timeline'
import { loadPermits } from '@/lib/load/permits/load'

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
    expect(timeline.status).toBe('estimated')
    expect(timeline.jurisdictionName).toContain('fictional')
    expect(timeline.days?.p10).toBeLessThan(timeline.days?.p90 ?? 0)
    expect(await locate(db, '50 Pattern Court, Sampleton', undefined)).toMatchObject({
      by: 'address',
      latitude: 33.016,
    })
  } finally {
    await db.close()
  }
})
