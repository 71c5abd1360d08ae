'use server'

import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { desk } from '@/app/session/desk'
import { parseRange } from '@/lib/auth/address-ranges'
import { SECRETS } from '@/lib/auth/manage-keys'
import { PRESETS, type Preset, SCOPES, SINGLE_SCOPES, URL_PRESET } from '@/lib/auth/scopes'
import { LEAD_SOURCES } from '@/lib/leads/sources/registry'
import { execute } from '@/lib/operations/execute'
import { changeKey, revokeKey, rotateKey } from '@/lib/operations/keys/change-keys'
import { createKey } from '@/lib/operations/keys/create-key'
import { KeyId, OverlapInput } from '@/lib/operations/keys/terms'
import { LIFETIMES, lifetimeDays } from './lifetimes'

const Terms = {
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name, such as the integration that will use it.')
    .max(100, 'At most 100 characters.'),
  addresses: z
    .string()
    .max(4000)
    .transform((text, ctx) => {
      const ranges = text.split(/[\s,;]+/).filter(Boolean)
      const bad = ranges.filter((range) => !parseRange(range))
      if (bad.length === 0) return ranges
      const message = `${bad.join(', ')}: not an address (203.0.113.7) or a range (203.0.113.0/24, 2001:db8::/32).`
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
  perMinute: z
    .string()
    .trim()
    .regex(/^([1-9]\d{0,4}|100000)?$/, 'Enter a whole number from 1 to 100000, or leave it empty.')
    .transform((text) => (text === '' ? undefined : Number(text))),
  insteadOfAddress: z
    .string()
    .optional()
    .transform((value) => value === 'on'),
}

const Creation = z
  .object({
    ...Terms,
    preset: z.enum(['own', ...presetNames()]),
    leadSource: z.enum(LEAD_SOURCES).optional(),
    'scopes[]': z.array(z.enum(SCOPES)).default([]),
    'also[]': z.array(z.enum(SINGLE_SCOPES)).default([]),
    expires: z.enum(LIFETIMES),
  })
  .refine(({ preset, 'scopes[]': scopes, 'also[]': also }) => preset !== 'own' || scopes.length + also.length > 0, {
    path: ['scopes[]'],
    message: 'Choose at least one scope, or a preset.',
  })

function presetNames(): Preset[] {
  return Object.keys(PRESETS).filter((name): name is Preset => name in PRESETS)
}

// The actions do not reload the list, because that would close the dialog that shows the secret. The page reloads it afterward.

/** Creates a key; its secret is shown only once. */
export const createKeyAction = contractorAction(Creation, async (actor, input) => {
  const { name, addresses: allowedAddresses, perMinute, insteadOfAddress, preset, expires } = input
  const now = new Date()
  const days = lifetimeDays(expires)
  const also = input['also[]']
  const rights = preset === 'own' ? { scopes: [...input['scopes[]'], ...also] } : { preset, scopes: also }
  const expiresAt = days === undefined ? undefined : new Date(now.getTime() + days * 86_400_000)
  const terms = { name, allowedAddresses, perMinute, insteadOfAddress, expiresAt }
  // Without script the sender is always sent along.
  const leadSource = preset === URL_PRESET ? input.leadSource : undefined
  const made = await execute(createKey, { actor, now }, { ...terms, ...rights, leadSource })
  const { id, secret, scopes } = made
  return {
    ok: true,
    data: { id, at: now.toISOString(), secret, scopes, leadSource: made.leadSource, preset: made.preset },
  }
})

/** Rotates a key; the new secret is shown only once. */
export const rotateKeyAction = contractorAction(
  z.object({ id: KeyId, overlap: OverlapInput }),
  async (actor, input) => {
    const { now, words } = await desk()
    const made = await execute(rotateKey, { actor, now }, input)
    const oldWorksUntil = input.overlap === 'now' ? undefined : words.moment(made.oldWorksUntil, now)
    const { id, secret, scopes, preset, leadSource } = made
    return { ok: true, data: { id, at: now.toISOString(), secret, scopes, preset, leadSource, oldWorksUntil } }
  },
)

export const changeKeyAction = contractorAction(
  z.object({ id: KeyId, ...Terms }),
  async (actor, { addresses: allowedAddresses, ...input }) => {
    await execute(changeKey, { actor, now: new Date() }, { ...input, allowedAddresses })
    return { ok: true, message: 'Key saved.' }
  },
)

export const revokeKeyAction = contractorAction(
  z.object({ id: KeyId, secrets: z.enum(SECRETS) }),
  async (actor, input) => {
    const { revoked } = await execute(revokeKey, { actor, now: new Date() }, input)
    return { ok: true, message: revoked.length === 1 ? 'Key revoked.' : `${revoked.length} secrets revoked.` }
  },
)
