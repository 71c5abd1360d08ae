'use client'

import { startTransition } from 'react'
import { Menu } from '../ui/menu.client'
import { switchContractorAction } from './account/actions'
import { signOutAction } from './sign-in/actions'

/** Who is signed in: their account, and the way out. */
export function AccountMenu({ name, email }: { name: string; email: string }) {
  const leave = () => startTransition(() => void signOutAction(undefined, new FormData()))
  return (
    <Menu
      label={<span className="max-w-32 truncate lg:max-w-64">{name}</span>}
      name={`Account of ${name}`}
      items={[
        { name: 'Account', hint: email, href: '/account' },
        { name: 'Sign out', onChoose: leave },
      ]}
    />
  )
}

type Choice = { contractorId: string; name: string; role: string }

/** The contractor at work; a menu where a person serves several. */
export function ContractorSwitch({ current, all }: { current: Choice; all: Choice[] }) {
  if (all.length < 2) return <span className="block truncate text-sm font-medium">{current.name}</span>
  const choose = (contractorId: string) => {
    const form = new FormData()
    form.set('contractorId', contractorId)
    form.set('next', location.pathname + location.search)
    startTransition(() => void switchContractorAction(undefined, form))
  }
  return (
    <Menu
      align="start"
      name={`Contractor: ${current.name}`}
      label={<span className="max-w-40 truncate sm:max-w-none">{current.name} ▾</span>}
      items={all.map(({ contractorId, name, role }) => ({
        name,
        hint: role,
        current: contractorId === current.contractorId,
        onChoose: () => choose(contractorId),
      }))}
    />
  )
}
