import { redirect } from 'next/navigation'
import { requireActor } from '@/app/session/actor'

/** The browser opens at what everything hangs on. */
export default async function DataPage() {
  await requireActor()
  redirect('/data/projects')
}
