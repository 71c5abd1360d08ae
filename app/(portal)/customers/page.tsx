import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { ListPage } from '../records/list-page'

export const metadata: Metadata = { title: 'Customers' }

export default function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  return <ListPage name="customers" searchParams={searchParams} />
}
