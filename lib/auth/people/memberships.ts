import { database } from '@/db/client'
import { membershipsOf as stored } from '@/db/queries/members'

/** A contractor that a person serves, and as what. */
export type Membership = Awaited<ReturnType<typeof stored>>[number]

/** The contractors a person serves, by name: what their rights are looked up from at each request. */
export const membershipsOf = async (personId: string): Promise<Membership[]> =>
  await stored((await database()).orm, personId)
