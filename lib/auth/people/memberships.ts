import { database } from '@/db/client'
import { membershipsOf as stored } from '@/db/queries/members'

/** A contractor that a person works for, and their role. */
export type Membership = Awaited<ReturnType<typeof stored>>[number]

/** Returns a person's contractors, sorted by name; each request looks up its rights here. */
export const membershipsOf = async (personId: string): Promise<Membership[]> =>
  await stored((await database()).orm, personId)
