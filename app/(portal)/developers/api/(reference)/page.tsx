import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { SERVICE } from '@/lib/core/service'
import { Explorer } from './explorer'

export const metadata: Metadata = {
  title: 'API explorer',
  description: `Every endpoint of ${SERVICE.name}’s API, its parameters and responses; try them with a key.`,
}

/** The explorer opens with the operation that most readers need first. */
export default function ExplorerPage({ searchParams }: { searchParams: SearchParams }) {
  return <Explorer id="list_invoices" searchParams={searchParams} instead={{ status: 'overdue', limit: '5' }} />
}
