'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { LinkButton } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Select } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { SecretReveal } from '@/app/ui/secret.client'
import { changeSourceAction, createSourceAction } from './actions'
import { type Before, Fields, type Kind } from './fields.client'

const NAMES: Record<Kind, string> = {
  link: 'A link to a file',
  sftp: 'A folder on an SFTP server',
  mail: 'Mails with files',
  folder: 'A folder of this server',
}
/** The URL that mails are posted to, shown once. */
export const MailUrl = ({ id, url }: { id: string; url: string }) => (
  <div className="grid gap-4" role="status">
    <Notice tone="good">Enter this URL at the receiver of your mails. It is a secret, and shown this once.</Notice>
    <SecretReveal label="URL for mails" secret={url} hasFocus />
    <div>
      <LinkButton href={`/data/sources/${id}`}>Done</LinkButton>
    </div>
  </div>
)

/** Sets up a source of a chosen kind. */
export function NewSource({ contractorId, kinds }: { contractorId: string; kinds: Kind[] }) {
  const [kind, setKind] = useState<Kind>('link')
  return (
    <ActionForm
      action={createSourceAction}
      submit="Set up and run"
      values={{ contractorId, kind }}
      instead={(made) => made && <MailUrl {...made} />}
    >
      {(fault) => (
        <>
          <Field label="Kind">
            {(tied) => (
              <Select
                {...tied}
                value={kind}
                onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? 'link')}
              >
                {kinds.map((each) => (
                  <option key={each} value={each}>
                    {NAMES[each]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Fields key={kind} kind={kind} before={undefined} fault={fault} />
        </>
      )}
    </ActionForm>
  )
}

/** Changes a source. */
export function ChangeSource({ contractorId, kind, before }: { contractorId: string; kind: Kind; before: Before }) {
  return (
    <ActionForm action={changeSourceAction} submit="Save" values={{ contractorId, id: before.id }}>
      {(fault) => <Fields kind={kind} before={before} fault={fault} />}
    </ActionForm>
  )
}
