import type { Metadata } from 'next'
import type * as z from 'zod'
import { currentSession } from '@/app/session/actor'
import { visitor } from '@/app/session/visitor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { invitedBy } from '@/lib/auth/people/invitations'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { execute } from '@/lib/operations/execute'
import { getInvitation } from '@/lib/operations/team/invitations'
import { JoinAsSelf, JoinForm } from './forms.client'

export const metadata: Metadata = { title: 'Invitation', robots: { index: false } }

/** The page behind an invitation link: who invites, to which contractor, and how to join. */
export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const actor = await invitedBy(token, (await visitor()).address)
  if (!actor)
    return (
      <PageHead
        title="This invitation is no longer valid"
        text="It was used, withdrawn, or is more than a week old. Ask the sender for a new one."
        actions={<LinkButton href="/sign-in">Sign in</LinkButton>}
      />
    )
  const open = await execute(getInvitation, { actor, now: new Date() }, {})
  const { title, text } = ROLE_TEXTS[open.role]
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title={`Join ${open.contractor}`} text={`As ${title.toLowerCase()}. ${text}`} />
      <WayIn token={token} open={open} />
    </div>
  )
}

type Open = z.output<typeof getInvitation.output>

/** Shows what the person who opened the link must do to join. */
async function WayIn({ token, open: { email, contractor, acceptance } }: { token: string; open: Open }) {
  switch (acceptance) {
    case 'new account':
      return <JoinForm token={token} email={email} />
    case 'new password':
      return <JoinForm token={token} email={email} isReset />
    case 'unconfirmed':
      return (
        <EmptyState
          title="This address is not verified yet"
          text={`There is an account for ${email}, but the address was never verified. Ask the operator of this service to invite you to ${contractor}: the link in the invitation verifies it.`}
        />
      )
    case 'sign in':
      return (await currentSession())?.person.email === email ? (
        <JoinAsSelf token={token} name={contractor} />
      ) : (
        <EmptyState
          title="You have an account"
          text={`This invitation is for ${email}. Sign in with that account to continue.`}
          action={<LinkButton href={`/sign-in?next=/invitation/${token}`}>Sign in</LinkButton>}
        />
      )
  }
}
