import { ROLE_TEXTS } from '@/lib/auth/roles'
import { currentSession } from '../session/actor'
import { LinkButton } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

/** Shown when the user may not open a page: the reason, and whom to ask. */
export default async function Forbidden() {
  const session = await currentSession()
  const { current } = session ?? {}
  if (!current)
    return (
      <EmptyState
        title="You are not on a team"
        text="This account is no longer on a team. Ask an administrator of the contractor for an invitation."
        action={<LinkButton href="/">Go to the home page</LinkButton>}
      />
    )
  return (
    <EmptyState
      title="Your role cannot open this page"
      text={`Your role for ${current.name} is ${ROLE_TEXTS[current.role].title.toLowerCase()}. An administrator of this contractor can change it.`}
      action={<LinkButton href="/data">To the data</LinkButton>}
    />
  )
}
