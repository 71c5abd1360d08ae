import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { currentSession } from '@/app/session/actor'
import { pathHere } from '@/app/session/path'
import { PageHead } from '@/app/ui/card'
import { Notice } from '@/app/ui/notice'
import { env } from '@/lib/core/env'
import { SignInForm } from './forms.client'
import { PasskeySignIn } from './passkey.client'

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } }

/** Email address and password, or a passkey. Users who are already signed in are sent on. */
export default async function SignIn({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams
  const onward = pathHere(typeof next === 'string' ? next : undefined)
  if (await currentSession()) redirect(onward)
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title="Sign in" text="For contractor teams. An administrator invites you with a link." />
      {env().authSecret === undefined ? (
        <Notice tone="bad">
          <p>
            Sign-in is not configured. The operator of this service must set <code>BETTER_AUTH_SECRET</code> to a random
            text of at least 32 characters and restart the server.
          </p>
        </Notice>
      ) : (
        <>
          <SignInForm next={onward} />
          <PasskeySignIn next={onward} />
        </>
      )}
    </div>
  )
}
