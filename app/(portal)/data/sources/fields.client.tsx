'use client'

import { useState } from 'react'
import { Field } from '@/app/ui/field'
import { Check, Input, Select, Textarea } from '@/app/ui/input'

export type Kind = 'folder' | 'sftp' | 'link' | 'mail'
export type Before = {
  id: string
  name: string
  settings: Record<string, string>
  every: string | null
  hour: number | null
  weekday: number | null
  dates: string | null
  complete: boolean
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

type Fault = (field: string) => string | undefined
type Of = { before: Before | undefined; fault: Fault }

type TextProps = Of & {
  name: string
  label: string
  hint?: string
  required?: boolean
  isSecret?: boolean
  isLong?: boolean
}

function Text({ before, fault, name, label, hint, required = false, isSecret = false, isLong = false }: TextProps) {
  const value = name === 'name' ? before?.name : before?.settings[name]
  const kept = isSecret && before ? 'Leave it empty to keep the one that is stored.' : hint
  const rest = { name, defaultValue: isSecret ? '' : (value ?? ''), required: required && !(isSecret && before) }
  return (
    <Field label={label} {...(kept !== undefined && { hint: kept })} error={fault(name)}>
      {(tied) =>
        isLong ? (
          <Textarea {...tied} {...rest} autoComplete="off" spellCheck={false} />
        ) : (
          <Input {...tied} {...rest} type={isSecret ? 'password' : 'text'} autoComplete="off" />
        )
      }
    </Field>
  )
}

function Mail(of: Of) {
  const [provider, setProvider] = useState(of.before?.settings.provider ?? 'postmark')
  return (
    <>
      <Field label="Who receives the mails" error={of.fault('provider')}>
        {(tied) => (
          <Select {...tied} name="provider" value={provider} onChange={({ target }) => setProvider(target.value)}>
            <option value="postmark">Postmark</option>
            <option value="sendgrid">SendGrid Inbound Parse</option>
            <option value="mailgun">Mailgun</option>
          </Select>
        )}
      </Field>
      <Text
        {...of}
        name="senders"
        label="Senders"
        required
        hint="Addresses, or domains such as @example.com, separated by commas. Mails of others are ignored."
      />
      {provider === 'mailgun' && <Text {...of} name="signingKey" label="HTTP webhook signing key" required isSecret />}
    </>
  )
}

const FIELDS: Record<Kind, (of: Of) => React.ReactNode> = {
  link: (of) => (
    <Text
      {...of}
      name="url"
      label="Address"
      required
      hint="https://… In Google Sheets: File, Share, Publish to web, or a link that anyone can open."
    />
  ),
  sftp: (of) => (
    <>
      <Text {...of} name="host" label="Server" required />
      <Text {...of} name="port" label="Port" hint="22 when left empty" />
      <Text {...of} name="path" label="Folder" hint="Such as /exports; the start folder when left empty" />
      <Text {...of} name="user" label="User name" required />
      <Text {...of} name="password" label="Password" isSecret hint="Or a private key below" />
      <Text
        {...of}
        name="privateKey"
        label="Private key"
        isSecret
        isLong
        hint="OpenSSH, PEM (RSA, EC) or PuTTY version 2"
      />
      <Text {...of} name="passphrase" label="Passphrase of the key" isSecret />
    </>
  ),
  mail: (of) => <Mail {...of} />,
  folder: (of) => (
    <Text
      {...of}
      name="path"
      label="Folder"
      hint="Below the folder that the operator made for this contractor; empty for all of it"
    />
  ),
}

function When({ before }: { before: Before | undefined }) {
  const [every, setEvery] = useState(before?.every ?? 'day')
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Field label="Runs">
        {(tied) => (
          <Select {...tied} name="every" value={every} onChange={({ target }) => setEvery(target.value)}>
            <option value="hour">Every hour</option>
            <option value="day">Nightly</option>
            <option value="week">Weekly</option>
          </Select>
        )}
      </Field>
      {every === 'week' && (
        <Field label="Day">
          {(tied) => (
            <Select {...tied} name="weekday" defaultValue={String(before?.weekday ?? 0)}>
              {DAYS.map((day, at) => (
                <option key={day} value={at}>
                  {day}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {every !== 'hour' && (
        <Field label="Hour">
          {(tied) => (
            <Select {...tied} name="hour" defaultValue={String(before?.hour ?? 2)}>
              {HOURS.map((hour) => (
                <option key={hour} value={hour}>{`${String(hour).padStart(2, '0')}:00`}</option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  )
}

/** The fields that a source of a kind needs: where it looks, when it runs, and how its files are read. */
export function Fields({ kind, before, fault }: Of & { kind: Kind }) {
  return (
    <>
      <Text before={before} fault={fault} name="name" label="Name" required />
      {FIELDS[kind]({ before, fault })}
      {kind !== 'mail' && <When before={before} />}
      <Field label="Order of dates" hint="Only where a file does not show whether 03/04 is in March or in April.">
        {(tied) => (
          <Select {...tied} name="dates" defaultValue={before?.dates ?? ''}>
            <option value="">As the files show it</option>
            <option value="mdy">Month first</option>
            <option value="dmy">Day first</option>
          </Select>
        )}
      </Field>
      <Check
        name="complete"
        label="Its files are complete."
        hint="Records that files with our own names no longer have are deleted, at most a tenth of them."
        defaultChecked={before?.complete ?? false}
      />
    </>
  )
}
