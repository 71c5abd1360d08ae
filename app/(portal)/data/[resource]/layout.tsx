import type { ReactNode } from 'react'
import { requireResource } from '../resources'

type Props = { params: Promise<{ resource: string }>; children: ReactNode }

/** Answers 404 for an unknown resource before the skeleton is sent, because the status goes out with it. */
export default async function ResourceLayout({ params, children }: Props) {
  requireResource((await params).resource)
  return children
}
