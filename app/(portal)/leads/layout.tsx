import type { ReactNode } from 'react'
import { requireActor } from '@/app/session/actor'
import { listLeadDeliveries } from '@/lib/operations/deliveries'

/** Refuses before the skeleton is sent, because the status goes out with it. Each page also checks for itself. */
export default async function LeadsLayout({ children }: { children: ReactNode }) {
  await requireActor(listLeadDeliveries)
  return children
}
