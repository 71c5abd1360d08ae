import type { ReactNode } from 'react'
import { requireResource } from '../resources'

type Props = { params: Promise<{ resource: string }>; children: ReactNode }

/** Says 404 for a resource there is none of before a skeleton is sent, as the status is sent with it. */
export default async function ResourceLayout({ params, children }: Props) {
  requireResource((await params).resource)
  return children
}
