import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { ListPage } from '../records/list-page'

export const metadata: Metadata = { title: 'Payments' }

export default function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  return <ListPage name="payments" searchParams={searchParams} />
}
