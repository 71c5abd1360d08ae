'use client'

import type { ReactNode } from 'react'
import { LinkButton } from '@/app/ui/button'
import { Notice } from '@/app/ui/notice'
import type { Addresses } from '@/lib/portal/first-call'
import type { KeyAction } from './acts'
import { Change, Revoke, Rotate, type Subject } from './key-forms.client'
import { type Made, MadeKey } from './made.client'

type Props = {
  act: KeyAction
  subject: Subject
  contractorId: string
  ownAddress: string
  addresses: Addresses
  use: ReactNode
}

const done = (_: unknown, message: string | undefined) => (
  <div className="grid gap-4" role="status">
    <Notice tone="good">{message ?? 'Done.'}</Notice>
    <div>
      <LinkButton look="main" href="/keys">
        All keys
      </LinkButton>
    </div>
  </div>
)

/** The form of a key action on its own page; the result replaces the form. */
export function ActHere({ act, subject, contractorId, ownAddress, addresses, use }: Props) {
  const form = { subject, values: { id: subject.id, contractorId } }
  const shown = (made: Made | undefined) =>
    made && (
      <MadeKey
        made={{ preset: subject.preset, leadSource: subject.leadSource, ...made }}
        addresses={addresses}
        onDone={() => location.assign('/keys')}
      />
    )
  if (act === 'rotate') return <Rotate {...form} instead={shown} />
  if (act === 'change') return <Change {...form} ownAddress={ownAddress} instead={done} />
  return <Revoke {...form} use={use} instead={done} />
}
