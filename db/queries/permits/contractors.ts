import type { Database } from '../../client'

/** A contractor's name as permits spell it, and its normalized key. */
export type PermitContractor = { key: string; company: string }

const PREFIXED = {
  name: 'plumbline_permit_contractors_prefix',
  text: `select contractor_key as key, min(company_name) as company from permit_contractors
    where contractor_key like $1::text and ($2::text is null or jurisdiction_id = $2)
    group by contractor_key order by contractor_key limit $3::int`,
}

const ALL = {
  name: 'plumbline_permit_contractors',
  text: `select contractor_key as key, min(company_name) as company from permit_contractors
    where ($1::text is null or jurisdiction_id = $1) group by contractor_key order by contractor_key limit $2::int`,
}

/** Returns contractors whose key begins with a prefix. */
export function contractorsBeginning(
  db: Database,
  { prefix, jurisdiction, limit }: { prefix: string; jurisdiction: string | undefined; limit: number },
): Promise<PermitContractor[]> {
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`
  return db.run<PermitContractor>(PREFIXED, [pattern, jurisdiction ?? null, limit])
}

/** Returns all contractors' names, sorted by key. */
export function listPermitContractors(
  db: Database,
  { jurisdiction, limit }: { jurisdiction: string | undefined; limit: number },
): Promise<PermitContractor[]> {
  return db.run<PermitContractor>(ALL, [jurisdiction ?? null, limit])
}
