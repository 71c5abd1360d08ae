import type { Metadata } from 'next'
import { currentSession } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { invitationOf } from '@/lib/people/members'
import { JoinAsSelf, JoinForm } from './forms.client'

export const metadata: Metadata = { title: 'Invitation', robots: { index: false } }

/** What an invitation's link opens: who invites to what, and the way in. */
export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const open = await invitationOf(token)
  if (!open)
    return (
      <EmptyState
        title="This invitation is over"
        text="It was used or withdrawn, or is more than a week old. Ask whoever sent it for a new one."
        action={<LinkButton href="/sign-in">Sign in</LinkButton>}
      />
    )
  const { title, text } = ROLE_TEXTS[open.role]
  const session = await currentSession()
  const isThem = session?.person.email === open.email
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title={`Join ${open.contractor}`} text={`As ${title.toLowerCase()}. ${text}`} />
      {isThem ? (
        <JoinAsSelf token={token} name={open.contractor} />
      ) : open.hasAccount ? (
        <EmptyState
          title="You have an account"
          text={`This invitation is for ${open.email}. Sign in with that account and you come back here.`}
          action={<LinkButton href={`/sign-in?next=/invitation/${token}`}>Sign in</LinkButton>}
        />
      ) : (
        <JoinForm token={token} email={open.email} />
      )}
    </div>
  )
}
