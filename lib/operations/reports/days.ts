import type { Database } from '@/db/client'
import { contractorZone } from '@/db/queries/contractors'
import { dayIn } from '@/lib/core/time'

/** Returns a contractor's time zone, and the day it is there. Reports count in these days; timestamps stay in UTC. */
export async function contractorDays(
  db: Database,
  contractorId: string,
  now: Date,
): Promise<{ zone: string; today: string }> {
  const zone = await contractorZone(db, contractorId)
  return { zone, today: dayIn(zone, now) }
}
