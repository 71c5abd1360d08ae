import { ROLE_TEXTS } from '@/lib/auth/roles'
import { currentSession } from '../session/actor'
import { LinkButton } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { NoContractor } from './no-contractor'

/** The page shown when the user may not open a page: the reason, and whom to ask. */
export default async function Forbidden() {
  const session = await currentSession()
  if (!session)
    return (
      <EmptyState
        title="You are not signed in"
        text="Sign in, then open this page again."
        action={<LinkButton href="/sign-in">Sign in</LinkButton>}
      />
    )
  const { current } = session
  if (!current) return <NoContractor person={session.person} />
  return (
    <EmptyState
      title="Your role cannot open this page"
      text={`Your role for ${current.name} is ${ROLE_TEXTS[current.role].title.toLowerCase()}. An administrator of this contractor can change it.`}
      action={<LinkButton href="/customers">To the customers</LinkButton>}
    />
  )
}
