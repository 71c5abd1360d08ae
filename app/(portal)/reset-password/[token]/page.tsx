import type { Metadata } from 'next'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { RESET_MINUTES } from '@/lib/auth/people/mailed-links'
import { resetFor } from '@/lib/auth/people/reset'
import { ResetForm } from './form.client'

export const metadata: Metadata = { title: 'Choose a new password', robots: { index: false } }

/** The page behind a link that resets a password. Opening it changes nothing, because mail programs open links too. */
export default async function ResetPassword({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const email = await resetFor(token)
  if (email === undefined)
    return (
      <PageHead
        title="This link is no longer valid"
        text={`It was used, or is more than ${RESET_MINUTES} minutes old. Ask for a new one.`}
        actions={<LinkButton href="/forgot-password">Email me a new link</LinkButton>}
      />
    )
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title="Choose a new password" text="All your sessions end. Two-factor sign-in and passkeys stay." />
      <ResetForm token={token} email={email} />
    </div>
  )
}
