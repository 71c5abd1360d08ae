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

type Search = Promise<{ next?: string | string[]; changed?: string | string[] }>

/** The sign-in page: email address and password, or a passkey. Users who are already signed in are sent on. */
export default async function SignIn({ searchParams }: { searchParams: Search }) {
  const { next, changed } = await searchParams
  const onward = pathHere(typeof next === 'string' ? next : undefined)
  if (await currentSession()) redirect(onward)
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title="Sign in" text="For contractor teams. An administrator invites you with a link." />
      {env().authSecret === undefined ? (
        <Notice tone="danger">
          <p>
            Sign-in is not configured. The operator of this service must set <code>BETTER_AUTH_SECRET</code> to a random
            text of at least 32 characters and restart the server.
          </p>
        </Notice>
      ) : (
        <>
          {changed !== undefined && (
            <div className="mb-4">
              <Notice tone="good">
                <p>Your password was changed. Sign in with the new one.</p>
              </Notice>
            </div>
          )}
          <SignInForm next={onward} />
          <PasskeySignIn next={onward} />
          <p className="mt-6 text-sm">
            <a href="/sign-in/sso" className="underline">
              Sign in with single sign-on
            </a>
          </p>
        </>
      )}
    </div>
  )
}
