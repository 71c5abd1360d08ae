import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { ListPage } from '../records/list-page'

export const metadata: Metadata = { title: 'Invoices' }

export default function InvoicesPage({ searchParams }: { searchParams: SearchParams }) {
  return <ListPage name="invoices" searchParams={searchParams} />
}
