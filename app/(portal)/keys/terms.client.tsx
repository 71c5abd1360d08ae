'use client'

import { Field } from '@/app/ui/field'
import { Input, Textarea } from '@/app/ui/input'

/** The settings of a key that people may edit. */
export type Terms = { name: string; allowedAddresses: string[] | null; perMinute: number | null }

type Props = { fault: (field: string) => string | undefined; present?: Terms; ownAddress: string }

export function NameField({ fault, present }: Omit<Props, 'ownAddress'>) {
  return (
    <Field label="Name" required hint="What uses it, so that people can tell keys apart." error={fault('name')}>
      {(tied) => <Input name="name" maxLength={100} autoComplete="off" defaultValue={present?.name} {...tied} />}
    </Field>
  )
}

/** Fields for allowed addresses and the rate limit. */
export function LimitFields({ fault, present, ownAddress }: Props) {
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
            defaultValue={present?.allowedAddresses?.join('\n')}
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
            defaultValue={present?.perMinute ?? undefined}
            {...tied}
          />
        )}
      </Field>
    </>
  )
}
