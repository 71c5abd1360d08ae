import { parseState, parseZip } from '@/lib/core/contact'
import { partsBetween } from '@/lib/core/text'
import type { Draft } from './sources/define'

type Values = Draft['values']

const COUNTRY = /^(?:us|usa|united states(?: of america)?|ca|canada)$/i

/** The state and the postal code at the end of an address: `TN 37206`, `Ontario K1A 0B1`, or either. */
function regionOf(text: string): { state: string | undefined; zipCode: string | undefined } | undefined {
  const words = text.split(/\s+/)
  for (const length of [1, 2]) {
    const zipCode = words.slice(-length).join(' ')
    const state = words.slice(0, -length).join(' ')
    if (parseZip(zipCode) && (state === '' || parseState(state))) return { state: state || undefined, zipCode }
  }
  return parseState(text) ? { state: text, zipCode: undefined } : undefined
}

/** The parts of an address that are separated by commas or lines, the country left out. */
function partsOf(address: string): string[] {
  const parts = partsBetween(address, /[,\n]/).filter(Boolean)
  if (parts.length > 3 && COUNTRY.test(parts.at(-1) ?? '')) parts.pop()
  // `…, TN, 37206` is the same as `…, TN 37206`.
  const [state = '', zip = ''] = parts.slice(-2)
  if (parts.length > 3 && parseZip(zip) && parseState(state)) parts.splice(-2, 2, `${state} ${zip}`)
  return parts
}

/**
 * A whole address in one field, in its parts: `1411 Holly St, Nashville, TN 37206`. Only where the body has no city, state and
 * postal code of its own, and only what is certain; anything else stays one line.
 */
export function splitAddress(values: Values): Values {
  const { address, city, state, zipCode } = values
  if (address === undefined || address.length > 300 || (city ?? state ?? zipCode) !== undefined) return { ...values }
  const parts = partsOf(address)
  const region = parts.length > 2 ? regionOf(parts.at(-1) ?? '') : undefined
  if (!region) return { ...values }
  const split: Values = { ...values, address: parts.slice(0, -2).join(', '), city: parts.at(-2) ?? '' }
  if (region.state !== undefined) split.state = region.state
  if (region.zipCode !== undefined) split.zipCode = region.zipCode
  return split
}
