'use client'

import { type ReactNode, useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button } from '@/app/ui/button'
import { Dialog } from '@/app/ui/dialog.client'
import { Field } from '@/app/ui/field'
import { Check, Choices, Select } from '@/app/ui/input'
import type { Addresses } from '@/lib/portal/first-call'
import { changeKeyAction, revokeKeyAction, rotateKeyAction } from './actions'
import { type Made, MadeKey } from './made.client'
import { useRefresh } from './refresh.client'
import { LimitFields, NameField, type Terms } from './terms.client'

/** The key that is acted on. */
export type Subject = Terms & {
  id: string
  masked: string
  preset: string | null
  /** Its old secrets that still work after a rotation, with their end as people read it. */
  old: { masked: string; endsAt: string | null }[]
}

type Asked = 'rotate' | 'change' | 'revoke'

const TITLES: Record<Asked, string> = { rotate: 'Rotate', change: 'Edit', revoke: 'Revoke' }

/** How long the old secret goes on working, as `lib/auth` knows it, and in words. */
const OVERLAPS = [
  ['now', 'Ends at once'],
  ['1h', '1 hour'],
  ['24h', '24 hours'],
  ['3d', '3 days'],
  ['7d', '7 days'],
] as const

/** What each of the three forms needs: its key, whom it belongs to, and what follows. */
type FormProps = { subject: Subject; values: { id: string; contractorId: string } }

function Rotate({ subject, values, onDone }: FormProps & { onDone: (made: Made | undefined) => void }) {
  return (
    <ActionForm action={rotateKeyAction} submit="Create new secret" values={values} onDone={onDone}>
      {(fault) => (
        <>
          <p>
            A new secret with the same permissions, allowed IPs and rate limit replaces{' '}
            <code className="font-mono">{subject.masked}</code>. It gets the same lifetime again.
          </p>
          <Field label="The old secret works for another" error={fault('overlap')}>
            {(tied) => (
              <Select name="overlap" defaultValue="24h" className="max-w-48" {...tied}>
                {OVERLAPS.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </>
      )}
    </ActionForm>
  )
}

function Change({ subject, values, ownAddress, onDone }: FormProps & { ownAddress: string; onDone: () => void }) {
  return (
    <ActionForm action={changeKeyAction} submit="Save" values={values} onDone={onDone}>
      {(fault) => (
        <>
          <NameField fault={fault} present={subject} />
          <LimitFields fault={fault} present={subject} ownAddress={ownAddress} />
          <p className="text-sm text-quiet">
            Takes effect here at once, on every other server within five seconds. A key’s permissions cannot be edited.
          </p>
        </>
      )}
    </ActionForm>
  )
}

/** Which secrets of a rotated key are ended, as `lib/auth` knows it, and in words. */
function WhichSecrets({ subject: { masked, old } }: { subject: Subject }) {
  const olds = old.map((each) => `${each.masked} (works until ${each.endsAt})`)
  return (
    <Choices legend="The old secret still works. What should end?">
      <Check
        type="radio"
        name="secrets"
        value="both"
        label="Both secrets"
        hint="Right if the key has leaked."
        defaultChecked
      />
      <Check type="radio" name="secrets" value="old" label="Only the old secret" hint={olds.join(', ')} />
      <Check type="radio" name="secrets" value="new" label="Only the new secret" hint={masked} />
    </Choices>
  )
}

function Revoke({ subject, values, use, onDone }: FormProps & { use: ReactNode; onDone: () => void }) {
  const isRotated = subject.old.length > 0
  // An old secret is ended by itself: those before it have rows of their own.
  const sent = isRotated ? values : { ...values, secrets: 'new' }
  return (
    <ActionForm action={revokeKeyAction} submit="Revoke key" look="danger" values={sent} onDone={onDone}>
      {() => (
        <>
          {isRotated && <WhichSecrets subject={subject} />}
          <p>
            {isRotated ? 'What you choose' : <code className="font-mono">{subject.masked}</code>} is refused from now
            on, on every server within five seconds. This cannot be undone.
          </p>
          {use}
        </>
      )}
    </ActionForm>
  )
}

type Props = {
  subject: Subject
  contractorId: string
  /** What can be done with it: an old secret can only be ended. */
  can: readonly Asked[]
  ownAddress: string
  addresses: Addresses
  /** How it was used lately, for whoever is about to end it. */
  use: ReactNode
}

/** What can be done with a key: buttons, and the dialog each opens. */
export function KeyActions({ subject, contractorId, can, ownAddress, addresses, use }: Props) {
  const [asked, setAsked] = useState<Asked>()
  const [made, setMade] = useState<Made>()
  const refresh = useRefresh()
  const close = () => {
    setAsked(undefined)
    if (made) refresh()
    setMade(undefined)
  }
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
          onClick={() => setAsked(each)}
        >
          {TITLES[each]}
          <span className="sr-only">
            {' '}
            {subject.name}, {subject.masked}
          </span>
        </Button>
      ))}
      <Dialog
        title={made ? 'The new secret' : asked && `${TITLES[asked]} ${subject.name}`}
        isOpen={asked !== undefined}
        onClose={close}
        stays={Boolean(made)}
      >
        {made && <MadeKey made={{ preset: subject.preset, ...made }} addresses={addresses} onDone={close} />}
        {!made && asked === 'rotate' && <Rotate {...form} onDone={setMade} />}
        {asked === 'change' && <Change {...form} ownAddress={ownAddress} onDone={done} />}
        {asked === 'revoke' && <Revoke {...form} use={use} onDone={done} />}
      </Dialog>
    </div>
  )
}
