'use client'

import { type ReactNode, useState } from 'react'
import { Button, LinkButton } from '@/app/ui/button'
import { Dialog } from '@/app/ui/dialog.client'
import type { Addresses } from '@/lib/portal/first-call'
import { type KeyAction, TITLES } from './acts'
import { Change, Revoke, Rotate, type Subject } from './key-forms.client'
import { type Made, MadeKey } from './made.client'
import { useRefresh } from './refresh.client'

type Props = {
  subject: Subject
  contractorId: string
  /** The possible actions: an old secret can only be revoked. */
  can: readonly KeyAction[]
  ownAddress: string
  addresses: Addresses
  /** The recent use of the key, shown before it is revoked. */
  use: ReactNode
}

/** The action buttons of a key, and the dialog that each opens. */
export function KeyActions({ subject, contractorId, can, ownAddress, addresses, use }: Props) {
  const [asked, setAsked] = useState<KeyAction>()
  const [made, setMade] = useState<Made>()
  const [refresh, isClosing] = useRefresh()
  const close = () => setAsked(undefined)
  const closeMade = () =>
    refresh(() => {
      setAsked(undefined)
      setMade(undefined)
    })
  const done = () => {
    setAsked(undefined)
    refresh()
  }
  const form = { subject, values: { id: subject.id, contractorId } }
  return (
    <div className="flex flex-wrap gap-2">
      {can.map((each) => (
        <Button
          key={each}
          size="small"
          look={each === 'revoke' ? 'danger' : 'plain'}
          aria-haspopup="dialog"
          className="noscript:hidden"
          onClick={() => setAsked(each)}
        >
          {TITLES[each]}
          <span className="sr-only">
            {' '}
            {subject.name}, {subject.masked}
          </span>
        </Button>
      ))}
      <noscript>
        <span className="flex flex-wrap gap-2">
          {can.map((each) => (
            <LinkButton key={each} size="small" href={`/keys/${subject.id}/${each}`}>
              {TITLES[each]}
              <span className="sr-only">
                {' '}
                {subject.name}, {subject.masked}
              </span>
            </LinkButton>
          ))}
        </span>
      </noscript>
      <Dialog
        title={made ? 'The new secret' : asked && `${TITLES[asked]} ${subject.name}`}
        isOpen={asked !== undefined}
        onClose={close}
        stays={Boolean(made)}
      >
        {made && (
          <MadeKey
            made={{ preset: subject.preset, leadSource: subject.leadSource, ...made }}
            addresses={addresses}
            onDone={closeMade}
            isClosing={isClosing}
          />
        )}
        {!made && asked === 'rotate' && <Rotate {...form} onDone={setMade} />}
        {asked === 'change' && <Change {...form} ownAddress={ownAddress} onDone={done} />}
        {asked === 'revoke' && <Revoke {...form} use={use} onDone={done} />}
      </Dialog>
    </div>
  )
}
