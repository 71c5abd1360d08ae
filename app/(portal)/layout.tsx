import type { ReactNode } from 'react'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { THEME_COMMANDS } from '@/lib/portal/commands'
import { currentSession, type Session } from '../session/actor'
import { Shell, type Viewer } from '../ui/shell'
import { AccountMenu, ContractorSwitch } from './account-menu.client'

function viewerOf({ person, memberships, current }: Session): Viewer | undefined {
  if (!current) return undefined
  const choice = ({ contractorId, name, role }: typeof current) => ({
    contractorId,
    name,
    role: ROLE_TEXTS[role].title,
  })
  return {
    role: current.role,
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
      ...THEME_COMMANDS,
      { act: 'sign-out', name: 'Sign out', about: person.email },
    ],
    account: <AccountMenu name={person.name} email={person.email} />,
  }
}

/** The frame of every page, for signed-in users and visitors. */
export default async function PortalLayout({ children }: { children: ReactNode }) {
  const session = await currentSession()
  const viewer = session && viewerOf(session)
  return <Shell {...(viewer && { viewer })}>{children}</Shell>
}
