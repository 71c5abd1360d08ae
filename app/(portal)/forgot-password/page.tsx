import type { Metadata } from 'next'
import { PageHead } from '@/app/ui/card'
import { Notice } from '@/app/ui/notice'
import { mailsPeople, RESET_MINUTES, RESETS_PER_HOUR } from '@/lib/auth/people/mailed-links'
import { env } from '@/lib/core/env'
import { OUTBOX_FOLDER } from '@/lib/core/outbox'
import { ForgotForm } from './form.client'

export const metadata: Metadata = { title: 'Forgot your password?', robots: { index: false } }

/** Asks for a link that resets a password; without a mail server, says who can reset it. */
export default function ForgotPassword() {
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title="Forgot your password?" text="We email you a link to choose a new one." />
      {mailsPeople() ? (
        <div className="grid gap-4">
          <ForgotForm minutes={RESET_MINUTES} perHour={RESETS_PER_HOUR} />
          {!env().mail && (
            <p className="text-sm text-quiet">
              This demonstration writes email as files into <code>{OUTBOX_FOLDER}</code> in its data directory.
            </p>
          )}
        </div>
      ) : (
        <Notice>
          <p>This server sends no email. Ask the operator of this service to reset your password.</p>
        </Notice>
      )}
      <p className="mt-6 text-sm">
        <a href="/sign-in" className="underline">
          Back to sign-in
        </a>
      </p>
    </div>
  )
}
