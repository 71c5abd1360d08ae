import { notFound, permanentRedirect } from 'next/navigation'
import type { SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { isResourceName } from '@/lib/core/resource-names'

type Props = { params: Promise<{ path?: string[] }>; searchParams: SearchParams }

/** Leads from the addresses that records had before to those that they have: `/data/invoices/inv_1` is `/invoices/inv_1`. */
export default async function MovedPage({ params, searchParams }: Props) {
  await requireActor()
  const { path = ['projects'] } = await params
  const [name = ''] = path
  if (!isResourceName(name)) notFound()
  const query = new URLSearchParams(
    Object.entries(await searchParams).flatMap(([key, value]) => [value ?? []].flat().map((each) => [key, each])),
  )
  permanentRedirect(`/${path.join('/')}${query.size === 0 ? '' : `?${query}`}`)
}
