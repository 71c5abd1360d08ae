'use client'

import { Field } from '@/app/ui/field'
import { Check, Input, Textarea } from '@/app/ui/input'
import type { Entered } from '@/lib/portal/form-result'

/** The settings of a key that people may edit. */
export type Terms = {
  name: string
  allowedAddresses: string[] | null
  perMinute: number | null
  insteadOfAddress: boolean
}

type Props = {
  fault: (field: string) => string | undefined
  entered: Entered
  present?: Terms
  ownAddress: string
}

export function NameField({ fault, entered, present }: Omit<Props, 'ownAddress'>) {
  return (
    <Field label="Name" required hint="What will use the key." error={fault('name')}>
      {(tied) => (
        <Input
          name="name"
          maxLength={100}
          autoComplete="off"
          defaultValue={entered.text('name', present?.name)}
          {...tied}
        />
      )}
    </Field>
  )
}

/** Fields for allowed addresses and the rate limit. */
export function LimitFields({ fault, entered, present, ownAddress }: Props) {
  return (
    <>
      <Field
        label="Allowed IPs"
        hint={`One per line, at most 50: 203.0.113.7 or 203.0.113.0/24. Leave empty to allow any. Your IP is ${ownAddress}.`}
        error={fault('addresses')}
      >
        {(tied) => (
          <Textarea
            name="addresses"
            rows={2}
            spellCheck={false}
            className="font-mono text-sm"
            defaultValue={entered.text('addresses', present?.allowedAddresses?.join('\n'))}
            {...tied}
          />
        )}
      </Field>
      <Field
        label="Rate limit"
        hint="Requests per minute in total, in addition to the standard limits. Leave empty for the standard limits only."
        error={fault('perMinute')}
      >
        {(tied) => (
          <Input
            name="perMinute"
            inputMode="numeric"
            autoComplete="off"
            className="max-w-40"
            defaultValue={entered.text('perMinute', present?.perMinute?.toString())}
            {...tied}
          />
        )}
      </Field>
      <Check
        name="insteadOfAddress"
        label="Replace the limit per IP address"
        hint="For integration platforms, whose customers share addresses. Needs a rate limit."
        defaultChecked={entered.has('insteadOfAddress', 'on', present?.insteadOfAddress ?? false)}
      />
    </>
  )
}
