import type { Database } from '../../client'

/** What of a project tells its work, its place and its start; `startDate` is an ISO day. */
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

/** A contractor's project as far as permits are concerned; undefined when it has none of that id. */
export async function projectScope(
  db: Database,
  { contractorId, projectId }: { contractorId: string; projectId: string },
): Promise<ProjectScope | undefined> {
  const [row] = await db.run<ProjectScope>(SCOPE, [contractorId, projectId])
  return row
}
