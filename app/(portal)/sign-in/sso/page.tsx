import type { Metadata } from 'next'
import { PageHead } from '@/app/ui/card'
import { mailsPeople } from '@/lib/auth/people/mailed-links'
import { FindSso } from './form.client'

export const metadata: Metadata = { title: 'Single sign-on', robots: { index: false } }

/** Finds where a person's contractor signs in. */
export default function FindSingleSignOn() {
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title="Single sign-on" text="Sign in with your company’s own sign-in." />
      <FindSso mails={mailsPeople()} />
      <p className="mt-6 text-sm">
        <a href="/sign-in" className="underline">
          Use a password or passkey
        </a>
      </p>
    </div>
  )
}
