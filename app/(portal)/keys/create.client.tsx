'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button, LinkButton } from '@/app/ui/button'
import { Dialog } from '@/app/ui/dialog.client'
import { Field } from '@/app/ui/field'
import { Check, Choices, Radios, Select } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import type { Addresses } from '@/lib/portal/first-call'
import type { Entered } from '@/lib/portal/form-result'
import { createKeyAction } from './actions'
import { LIFETIME_TEXTS, LIFETIMES } from './lifetimes'
import { type Made, MadeKey } from './made.client'
import { useRefresh } from './refresh.client'
import { LimitFields, NameField } from './terms.client'

/** The permissions to choose from: presets, and single scopes. */
export type Rights = {
  presets: { id: string; title: string; text: string }[]
  scopes: { id: string; text: string }[]
  /** Scopes that are in no preset. */
  singles: { id: string; text: string }[]
  /** The lead sources that a secret URL can be for. */
  sources: { id: string; title: string }[]
}

type Props = { contractorId: string; rights: Rights; ownAddress: string; addresses: Addresses; label?: string }
type Fault = (field: string) => string | undefined
type RightsProps = { rights: Rights; fault: Fault; entered: Entered }

/** The single scopes, for a key without a preset. */
function Scopes({ rights, fault, entered }: RightsProps) {
  return (
    <Choices legend="Scopes of a custom key">
      {rights.scopes.map(({ id, text }) => (
        <Check
          key={id}
          name="scopes[]"
          value={id}
          label={id}
          hint={text}
          defaultChecked={entered.has('scopes[]', id)}
        />
      ))}
      {fault('scopes[]') && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {fault('scopes[]')}
        </p>
      )}
    </Choices>
  )
}

/** Scopes that are granted one by one, in addition to a preset or custom scopes. */
function Singles({ rights, entered }: Pick<RightsProps, 'rights' | 'entered'>) {
  return (
    <Choices legend="May also write">
      {rights.singles.map(({ id, text }) => (
        <Check key={id} name="also[]" value={id} label={id} hint={text} defaultChecked={entered.has('also[]', id)} />
      ))}
    </Choices>
  )
}

/** The sender that a secret URL is for. */
function SourceField({ rights, fault, entered }: RightsProps) {
  return (
    <Field
      label="Sender of the secret URL"
      hint="The URL works for this sender only. Zapier also stands for any other form."
      error={fault('leadSource')}
    >
      {(tied) => (
        <Select name="leadSource" className="max-w-80" defaultValue={entered.text('leadSource', 'zapier')} {...tied}>
          {rights.sources.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function RightsFields({ rights, fault, entered }: RightsProps) {
  const [preset, setPreset] = useState(entered.text('preset', rights.presets[0]?.id))
  const choices = [...rights.presets, { id: 'own', title: 'Custom', text: 'Choose scopes.' }]
  return (
    <>
      <Radios
        legend="What is it for?"
        name="preset"
        options={choices.map(({ id, title, text }) => ({ value: id, label: title, hint: text }))}
        isChosen={(id) => id === preset}
        onChoose={setPreset}
      />
      {preset === 'own' ? (
        <Scopes rights={rights} fault={fault} entered={entered} />
      ) : (
        <noscript>
          <Scopes rights={rights} fault={fault} entered={entered} />
        </noscript>
      )}
      {preset === 'lead-url' ? (
        <SourceField rights={rights} fault={fault} entered={entered} />
      ) : (
        <noscript>
          <SourceField rights={rights} fault={fault} entered={entered} />
        </noscript>
      )}
    </>
  )
}

function LifetimeField({ fault, entered }: Omit<RightsProps, 'rights'>) {
  const [lifetime, setLifetime] = useState(entered.text('expires', '365d'))
  return (
    <div className="grid gap-2">
      <Field label="Expires after" error={fault('expires')}>
        {(tied) => (
          <Select
            name="expires"
            className="max-w-40"
            value={lifetime}
            onChange={({ target }) => setLifetime(target.value)}
            {...tied}
          >
            {LIFETIMES.map((each) => (
              <option key={each} value={each}>
                {LIFETIME_TEXTS[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {lifetime === 'never' && (
        <Notice tone="warn" title="This key never expires" alert>
          <p>Anyone who finds it can use it until it is revoked. Set an expiry if you can.</p>
        </Notice>
      )}
    </div>
  )
}

type FormProps = Pick<Props, 'contractorId' | 'rights' | 'ownAddress'> & {
  onDone?: (made: Made | undefined) => void
  instead?: (made: Made | undefined) => ReactNode
}

/** The first step of the form: the key’s name, and what it is for. */
function Purpose({ rights, fault, entered, isHidden }: RightsProps & { isHidden: boolean }) {
  return (
    <div hidden={isHidden} className="grid gap-4 [&[hidden]]:hidden">
      <NameField fault={fault} entered={entered} />
      <RightsFields rights={rights} fault={fault} entered={entered} />
    </div>
  )
}

/** Fields of the first step, which is shown again when one of them is refused. */
const OF_PURPOSE = ['name', 'preset', 'scopes[]', 'leadSource']

/** The form in two steps: what the key is for, then its limits. Without script both are shown. */
function CreateForm({ contractorId, rights, ownAddress, onDone, instead }: FormProps) {
  const [isSecond, setSecond] = useState(false)
  const limits = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isSecond) limits.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [isSecond])
  return (
    <ActionForm
      action={createKeyAction}
      submit="Create key"
      values={{ contractorId }}
      step={{ isLast: isSecond, next: 'Next: limits', onNext: () => setSecond(true) }}
      isSticky
      beside={isSecond && <Button onClick={() => setSecond(false)}>Back</Button>}
      {...(onDone && { onDone })}
      {...(instead && { instead })}
    >
      {(fault, entered, _data, isStepped) => {
        const isPurposeHidden = isStepped && isSecond && !OF_PURPOSE.some(fault)
        return (
          <>
            <Purpose rights={rights} fault={fault} entered={entered} isHidden={isPurposeHidden} />
            <div ref={limits} hidden={isStepped && !isSecond} className="grid gap-4 [&[hidden]]:hidden">
              <LifetimeField fault={fault} entered={entered} />
              <Singles rights={rights} entered={entered} />
              <LimitFields fault={fault} entered={entered} ownAddress={ownAddress} />
            </div>
          </>
        )
      }}
    </ActionForm>
  )
}

/** The form on its own page; the secret then replaces the form. Works without script. */
export function CreateKeyHere({ contractorId, rights, ownAddress, addresses }: Props) {
  return (
    <CreateForm
      contractorId={contractorId}
      rights={rights}
      ownAddress={ownAddress}
      instead={(made) => made && <MadeKey made={made} addresses={addresses} onDone={() => location.assign('/keys')} />}
    />
  )
}

/** A button, and the dialog that creates a key and shows its secret once. */
export function CreateKey({ contractorId, rights, ownAddress, addresses, label = 'Create key' }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<Made>()
  const [refresh, isClosing] = useRefresh()
  const close = () => setOpen(false)
  const closeMade = () =>
    refresh(() => {
      setOpen(false)
      setMade(undefined)
    })
  const form = { contractorId, rights, ownAddress }
  return (
    <>
      <Button look="main" className="noscript:hidden" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <noscript>
        <LinkButton look="main" href="/keys/new">
          {label}
        </LinkButton>
      </noscript>
      <Dialog title={made ? 'Your new key' : 'Create key'} isOpen={isOpen} onClose={close} stays={Boolean(made)}>
        {made ? (
          <MadeKey made={made} addresses={addresses} onDone={closeMade} isClosing={isClosing} />
        ) : (
          <CreateForm {...form} onDone={setMade} />
        )}
      </Dialog>
    </>
  )
}
