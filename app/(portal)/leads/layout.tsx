import type { ReactNode } from 'react'
import { requireActor } from '@/app/session/actor'
import { listLeadDeliveries } from '@/lib/operations/deliveries'

/** Refuses before a skeleton is sent, as the status is sent with it. Each page checks for itself as well. */
export default async function LeadsLayout({ children }: { children: ReactNode }) {
  await requireActor(listLeadDeliveries)
  return children
}
