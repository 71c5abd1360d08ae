import { patiently } from '@/db/client'
import { wakeCompany } from '@/db/queries/connectors'
import type { ConnectorName } from './connector'
import { kickConnectors } from './driver'
import { CONNECTORS } from './registry'

/** The delay after which notices that come together are one run. */
const SOON_MS = 3_000

/**
 * Takes a vendor's webhook: connections to the companies that it names ask for changes soon. A company that nobody connected is ignored, and
 * the same webhook again changes nothing.
 * @throws ServiceError without the right signature
 */
export async function receiveNotifications(
  name: ConnectorName,
  raw: Uint8Array,
  header: (name: string) => string | null,
): Promise<void> {
  const notices = CONNECTORS[name].notices(raw, header)
  const merged = new Set(notices.filter(({ isMerge }) => isMerge).map(({ company }) => company))
  const at = new Date(Date.now() + SOON_MS)
  let woken = 0
  for (const company of new Set(notices.map((notice) => notice.company)))
    woken += await patiently((orm) => wakeCompany(orm, { connector: name, company, at, isWhole: merged.has(company) }))
  if (woken > 0) kickConnectors()
}
