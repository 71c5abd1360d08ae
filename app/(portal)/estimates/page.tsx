import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { ListPage } from '../records/list-page'

export const metadata: Metadata = { title: 'Estimates' }

export default function EstimatesPage({ searchParams }: { searchParams: SearchParams }) {
  return <ListPage name="estimates" searchParams={searchParams} />
}
