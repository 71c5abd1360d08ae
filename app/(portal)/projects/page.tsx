import type { Metadata } from 'next'
import type { SearchParams } from '@/app/query'
import { ListPage } from '../records/list-page'

export const metadata: Metadata = { title: 'Projects' }

export default function ProjectsPage({ searchParams }: { searchParams: SearchParams }) {
  return <ListPage name="projects" searchParams={searchParams} />
}
