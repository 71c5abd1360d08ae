import { redirect } from 'next/navigation'
import { requireActor } from '@/app/session/actor'

/** Redirects to projects, which most other records refer to. */
export default async function DataPage() {
  await requireActor()
  redirect('/data/projects')
}
