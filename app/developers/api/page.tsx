import type { Metadata } from 'next'
import { Mark } from '../../mark'
import { Explorer } from './explorer.client'

export const metadata: Metadata = { title: 'API explorer' }

export default function ExplorerPage() {
  return (
    <main className="explorer">
      <div className="page">
        <Mark />
        <Explorer />
      </div>
    </main>
  )
}
