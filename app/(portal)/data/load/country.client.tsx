'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { Field } from '@/app/ui/field'
import { Select } from '@/app/ui/input'
import { COUNTRIES } from '@/lib/core/country'
import { countryAction } from './actions'

const NAMES = new Intl.DisplayNames('en-US', { type: 'region' })

type Props = { contractorId: string; country: string | null; derived: string | null }

/** Chooses the country of the office. Works without script. */
export function CountryForm({ contractorId, country, derived }: Props) {
  const byZone = derived === null ? 'unknown' : NAMES.of(derived)
  return (
    <ActionForm key={country} action={countryAction} submit="Save" look="plain" values={{ contractorId }}>
      {(fault) => (
        <Field label="Country" error={fault('country')}>
          {(tied) => (
            <Select {...tied} name="country" defaultValue={country ?? ''} className="max-w-sm">
              <option value="">By time zone and currency: {byZone}</option>
              {COUNTRIES.map((code) => (
                <option key={code} value={code}>
                  {NAMES.of(code)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </ActionForm>
  )
}
