import type { ReactNode } from 'react'
import { requireActor } from '@/app/session/actor'

/** Refuses before a skeleton is sent, as the status is sent with it. Each page checks for itself as well. */
export default async function DataLayout({ children }: { children: ReactNode }) {
  await requireActor()
  return children
}
