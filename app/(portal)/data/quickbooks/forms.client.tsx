'use client'

import { useEffect } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { LinkButton } from '@/app/ui/button'
import { ConfirmAction } from '@/app/ui/confirm-action.client'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { beginAction, disconnectAction, removeRecordsAction, syncAction } from './actions'

/** Goes on at Intuit; a browser that does not go by itself has the link. */
function GoOn({ url }: { url: string }) {
  useEffect(() => location.assign(url), [url])
  return <LinkButton href={url}>Continue to QuickBooks</LinkButton>
}

/** Begins to connect. */
export function Connect({ contractorId, again }: { contractorId: string; again: boolean }) {
  return (
    <ActionForm
      action={beginAction}
      submit={again ? 'Connect again' : 'Connect QuickBooks Online'}
      values={{ contractorId }}
      instead={(begun) => begun && <GoOn url={begun.url} />}
    />
  )
}

/** Asks for a run now, of changes or of everything. */
export function Sync({ contractorId }: { contractorId: string }) {
  return (
    <div className="flex flex-wrap gap-2">
      <ActionForm action={syncAction} submit="Sync now" look="main" values={{ contractorId }} />
      <ActionForm
        action={syncAction}
        submit="Read everything again"
        look="plain"
        values={{ contractorId, everything: 'true' }}
      />
    </div>
  )
}

/** Ends the connection. */
export function Disconnect({ contractorId }: { contractorId: string }) {
  return (
    <ConfirmAction
      action={disconnectAction}
      label="Disconnect"
      values={{ contractorId }}
      title="Disconnect QuickBooks?"
      text="Nothing more is read from it. The records that were read stay."
    />
  )
}

/** Removes the records that a company brought, after its name is entered. */
export function RemoveRecords(values: { contractorId: string; company: string; companyName: string }) {
  return (
    <ActionForm action={removeRecordsAction} submit="Remove records" look="danger" values={values}>
      {(fault) => (
        <Field label={`Enter ${values.companyName} to confirm`} error={fault('entered')} required>
          {(tied) => <Input name="entered" autoComplete="off" className="max-w-sm" {...tied} />}
        </Field>
      )}
    </ActionForm>
  )
}

/** Reloads the page while something is under way, so that its progress is seen. */
export function Refresh({ seconds }: { seconds: number }) {
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), seconds * 1_000)
    return () => clearTimeout(timer)
  }, [seconds])
  return null
}
