import type { Database } from '../client'

/** The time a record left the feed; `queued` when that change still waits for its position, so that its moment is not known. */
export type Deletion = { at: string | null; queued: boolean }

const TEXT = `select (select to_char(numbered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from changes
      where change = 'deleted' and record_id = $3 and resource = $2 and contractor_id || '' = $1
      order by record_id desc, position desc limit 1) as at,
    exists (select from change_queue
      where change = 'deleted' and record_id = $3 and resource = $2 and contractor_id || '' = $1) as queued`

/** Looks up the deletion of a record that is not there. The `|| ''` leaves the index by id as the only usable one. */
export async function deletionOf(
  db: Database,
  { contractorId, resource, id }: { contractorId: string; resource: string; id: string },
): Promise<Deletion> {
  const [row] = await db.run<Deletion>({ name: 'plumbline_deletion', text: TEXT }, [contractorId, resource, id])
  if (!row) throw new Error('a statement without a condition answers one row')
  return row
}
