'use client'

import type { ReactNode } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Radios, Select } from '@/app/ui/input'
import { changeKeyAction, revokeKeyAction, rotateKeyAction } from './actions'
import type { Made } from './made.client'
import { LimitFields, NameField, type Terms } from './terms.client'

/** The key of an action. */
export type Subject = Terms & {
  id: string
  masked: string
  preset: string | null
  leadSource: string | null
  /** The old secrets that still work after a rotation, with their expiry as text. */
  old: { masked: string; endsAt: string | null }[]
}

/** The periods for which the old secret keeps working: each has the value for `lib/auth` and a text. */
const OVERLAPS = [
  ['now', 'Ends at once'],
  ['1h', '1 hour'],
  ['24h', '24 hours'],
  ['3d', '3 days'],
  ['7d', '7 days'],
] as const

/** The props of the three forms: the key, its contractor, and what happens afterward. */
export type FormProps<T = unknown> = {
  subject: Subject
  values: { id: string; contractorId: string }
  onDone?: (data: T | undefined) => void
  /** Replaces the form once it is done, when there is no dialog to close. */
  instead?: (data: T | undefined, message: string | undefined) => ReactNode
}

const rest = <T,>({ onDone, instead }: Pick<FormProps<T>, 'onDone' | 'instead'>) => ({
  ...(onDone && { onDone }),
  ...(instead && { instead }),
})

/** Rotates a key. */
export function Rotate({ subject, values, ...after }: FormProps<Made>) {
  return (
    <ActionForm action={rotateKeyAction} submit="Create new secret" values={values} {...rest(after)}>
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

/** Changes a key's name, allowed IPs and rate limit. */
export function Change({ subject, values, ownAddress, ...after }: FormProps & { ownAddress: string }) {
  return (
    <ActionForm action={changeKeyAction} submit="Save" values={values} {...rest(after)}>
      {(fault, entered) => (
        <>
          <NameField fault={fault} entered={entered} present={subject} />
          <LimitFields fault={fault} entered={entered} present={subject} ownAddress={ownAddress} />
          <p className="text-sm text-quiet">Takes effect within five seconds. A key’s permissions cannot be edited.</p>
        </>
      )}
    </ActionForm>
  )
}

/** Asks which secrets of a rotated key to revoke. */
function WhichSecrets({ subject: { masked, old } }: { subject: Subject }) {
  const olds = old.map((each) => `${each.masked} (works until ${each.endsAt})`)
  return (
    <Radios
      legend="The old secret still works. Which one do you want to revoke?"
      name="secrets"
      options={[
        { value: 'both', label: 'Both secrets', hint: 'Choose this if the key has leaked.' },
        { value: 'old', label: 'Only the old secret', hint: olds.join(', ') },
        { value: 'new', label: 'Only the new secret', hint: masked },
      ]}
      isChosen={(value) => value === 'both'}
    />
  )
}

/** Revokes a key; for a rotated one it asks which secret. */
export function Revoke({ subject, values, use, ...after }: FormProps & { use: ReactNode }) {
  const isRotated = subject.old.length > 0
  // An old secret is revoked by itself, because earlier ones have their own rows.
  const sent = isRotated ? values : { ...values, secrets: 'new' }
  return (
    <ActionForm action={revokeKeyAction} submit="Revoke key" look="danger" values={sent} {...rest(after)}>
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
