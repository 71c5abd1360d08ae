'use client'

import { useEffect } from 'react'
import { onCommand } from '@/lib/portal/palette'
import { Menu } from '../ui/menu.client'
import { run, signOut, switchTo } from './commands.client'

/** The signed-in person's menu: account and sign-out. */
export function AccountMenu({ name, email }: { name: string; email: string }) {
  useEffect(() => onCommand(run), [])
  return (
    <Menu
      label={<span className="max-w-32 truncate lg:max-w-64">{name}</span>}
      name={`Account of ${name}`}
      items={[
        { name: 'Account', hint: email, href: '/account' },
        { name: 'Sign out', onChoose: signOut },
      ]}
    />
  )
}

type Choice = { contractorId: string; name: string; role: string }

/** Shows the current contractor; a menu when the person has several. */
export function ContractorSwitch({ current, all }: { current: Choice; all: Choice[] }) {
  if (all.length < 2) return <span className="block truncate text-sm font-medium">{current.name}</span>
  return (
    <Menu
      align="start"
      name={`Contractor: ${current.name}`}
      label={
        <>
          <span className="max-w-[calc(100vw-5.5rem)] truncate md:max-w-none">{current.name}</span> ▾
        </>
      }
      items={all.map(({ contractorId, name, role }) => ({
        name,
        hint: role,
        current: contractorId === current.contractorId,
        onChoose: () => switchTo(contractorId),
      }))}
    />
  )
}
