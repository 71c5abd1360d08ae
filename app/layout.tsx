import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { SERVICE } from '@/lib/core/service'
import './globals.css'

export const metadata: Metadata = {
  title: { default: `${SERVICE.name}: ${SERVICE.description.toLowerCase()}`, template: `%s · ${SERVICE.name}` },
  description: 'A contractor’s customers, projects, invoices and payments over a read-only REST API with delta sync.',
  icons: { icon: '/icon.svg' },
}

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
