import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { apiReference } from '@/lib/http/openapi/reference'
import { Explorer } from '../explorer'

type Props = { params: Promise<{ operation: string }>; searchParams: SearchParams }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { operation: id } = await params
  const operation = apiReference()
    .flatMap(({ operations }) => operations)
    .find((each) => each.id === id)
  if (!operation) return { title: 'API explorer' }
  return { title: `${operation.title} · API explorer`, description: operation.description.replaceAll('`', '') }
}

/** The page of one operation, with the parameter values from the URL. */
export default async function OperationPage({ params, searchParams }: Props) {
  const { operation } = await params
  return <Explorer id={operation} searchParams={searchParams} />
}
