import type { ReactNode } from 'react'
import { requireActor } from '@/app/session/actor'

/** Refuses before the skeleton is sent, because the status goes out with it. Each page also checks for itself. */
export default async function DataLayout({ children }: { children: ReactNode }) {
  await requireActor()
  return children
}
