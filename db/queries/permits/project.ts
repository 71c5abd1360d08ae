import type { Database } from '../../client'

/** The fields of a project that describe its work, place and start. `startDate` is an ISO day. */
export type ProjectScope = {
  id: string
  name: string
  status: string
  description: string | null
  city: string | null
  state: string | null
  startDate: string | null
}

const SCOPE = {
  name: 'plumbline_permit_project',
  text: `select id, name, status, description, city, state, start_date::text as "startDate"
    from projects where contractor_id = $1 and id = $2`,
}

/** Returns what permits need to know about a contractor's project; undefined when there is no such project. */
export async function projectScope(
  db: Database,
  { contractorId, projectId }: { contractorId: string; projectId: string },
): Promise<ProjectScope | undefined> {
  const [row] = await db.run<ProjectScope>(SCOPE, [contractorId, projectId])
  return row
}
