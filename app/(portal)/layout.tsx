import type { ReactNode } from 'react'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { SERVICE } from '@/lib/core/service'
import { execute } from '@/lib/operations/execute'
import { countWaiting } from '@/lib/operations/overview/count-waiting'
import { COMMON_COMMANDS } from '@/lib/portal/palette'
import { actorFor, currentSession, here, type Session } from '../session/actor'
import { desk } from '../session/desk'
import type { WaitingByPath } from '../ui/nav'
import { Shell, type Viewer } from '../ui/shell'
import { AccountMenu, ContractorSwitch } from './account-menu.client'
import { ConfirmsPeople } from './confirm/provider.client'

/** Counts what waits, by the page that has it. */
async function waitingFor(session: Session, now: Date): Promise<WaitingByPath> {
  if (!session.current) return {}
  const actor = await actorFor(session, session.current)
  const waiting = await execute(countWaiting, { actor, now }, {})
  return {
    '/leads': { count: waiting.refused_leads, what: 'could not be read' },
    '/data/load': { count: waiting.held_loads, what: 'waiting for answers' },
    '/outgoing': { count: waiting.failing_webhooks, what: 'failing' },
    '/keys': { count: waiting.ending_keys, what: 'expiring soon' },
  }
}

function viewerOf({ person, memberships, current }: Session, waiting: WaitingByPath): Viewer | undefined {
  if (!current) return undefined
  const choice = ({ contractorId, name, role }: typeof current) => ({
    contractorId,
    name,
    role: ROLE_TEXTS[role].title,
  })
  return {
    role: current.role,
    waiting,
    contractor: <ContractorSwitch current={choice(current)} all={memberships.map(choice)} />,
    commands: [
      ...memberships
        .filter(({ contractorId }) => contractorId !== current.contractorId)
        .map(({ contractorId, name }) => ({
          act: 'switch' as const,
          contractorId,
          name: `Switch to ${name}`,
          about: 'Switch to this contractor',
        })),
      ...COMMON_COMMANDS,
      { act: 'sign-out', name: 'Sign out', about: person.email },
    ],
    account: <AccountMenu name={person.name} email={person.email} />,
  }
}

/** The frame of every page, for signed-in users and visitors. */
export default async function PortalLayout({ children }: { children: ReactNode }) {
  const session = await currentSession()
  const { today, words, now } = await desk()
  const viewer = session && viewerOf(session, await waitingFor(session, now))
  const printed = { name: session?.current?.name ?? SERVICE.name, day: words.day(today) }
  return (
    <ConfirmsPeople>
      <Shell {...(viewer && { viewer })} path={new URL(await here(), 'http://here').pathname} printed={printed}>
        {children}
      </Shell>
    </ConfirmsPeople>
  )
}
