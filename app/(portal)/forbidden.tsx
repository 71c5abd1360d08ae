import { ROLE_TEXTS } from '@/lib/auth/roles'
import { currentSession } from '../session/actor'
import { LinkButton } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

/** Instead of a page that is not for whoever asks: why, and whom to ask. */
export default async function Forbidden() {
  const session = await currentSession()
  const { current } = session ?? {}
  if (!current)
    return (
      <EmptyState
        title="You serve no contractor"
        text="This account is on no team any more. Ask an administrator of the contractor for an invitation."
        action={<LinkButton href="/">To the first page</LinkButton>}
      />
    )
  return (
    <EmptyState
      title="This page is not for your role"
      text={`For ${current.name} you are ${ROLE_TEXTS[current.role].title.toLowerCase()}. An administrator of this contractor can change that.`}
      action={<LinkButton href="/data">To the data</LinkButton>}
    />
  )
}
