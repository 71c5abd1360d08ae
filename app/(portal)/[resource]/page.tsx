import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from '@/app/query'
import { sentence } from '@/app/ui/data-column'
import { inWords, isResourceName } from '@/lib/core/resource-names'
import { ListPage } from '../records/list-page'

type Props = { params: Promise<{ resource: string }>; searchParams: SearchParams }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params
  return { title: isResourceName(resource) ? sentence(inWords(resource)) : 'Page not found' }
}

export default async function RecordsPage({ params, searchParams }: Props) {
  const { resource } = await params
  if (!isResourceName(resource)) notFound()
  return <ListPage name={resource} searchParams={searchParams} />
}
