import type { Metadata } from 'next'
import { pathHere } from '@/app/session/path'
import { PageHead } from '@/app/ui/card'
import { CodeForm } from '../forms.client'

export const metadata: Metadata = { title: 'Second step', robots: { index: false } }

/** The second step of signing in. */
export default async function SecondStep({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title="Two-factor sign-in" text="Enter the code from your authenticator app, or a backup code." />
      <CodeForm next={pathHere(typeof next === 'string' ? next : undefined)} />
    </div>
  )
}
