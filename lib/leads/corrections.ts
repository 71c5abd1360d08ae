import { type Draft, fieldEntries } from './sources/define'
import type { LeadField } from './submission'

/** Values a person entered in place of what a body says, by field; an empty one removes the field. */
export type Corrections = Partial<Record<LeadField, string>>

/** The origin that a mapping states for a corrected field. */
const BY_HAND = 'corrected by hand'

/** A draft with corrections laid over it, and where each field came from. */
export function corrected<D extends Pick<Draft, 'values' | 'from'>>(draft: D, corrections: Corrections): D {
  const [values, from] = [{ ...draft.values }, { ...draft.from }]
  for (const [field, value] of fieldEntries(corrections)) {
    values[field] = value
    from[field] = BY_HAND
    if (value.trim() !== '') continue
    delete values[field]
    delete from[field]
  }
  return { ...draft, values, from }
}
