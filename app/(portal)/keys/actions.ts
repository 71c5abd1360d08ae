'use server'

import { z } from 'zod'
import { contractorAction } from '@/app/session/action'
import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { parseRange } from '@/lib/auth/address-ranges'
import { changeKey, createKey, OVERLAPS, type Overlap, revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { PRESETS, type Preset, SCOPES } from '@/lib/auth/scopes'
import { ServiceError } from '@/lib/core/errors'
import { LIFETIMES, lifetimeDays } from './lifetimes'

const Terms = {
  name: z.string().trim().min(1, 'Give it a name, such as what will use it.').max(100, 'At most 100 characters.'),
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
    .regex(/^([1-9]\d{0,4}|100000)?$/, 'A whole number from 1 to 100000, or nothing.')
    .transform((text) => (text === '' ? undefined : Number(text))),
}

const Creation = z
  .object({
    ...Terms,
    preset: z.enum(['own', ...presetNames()]),
    'scopes[]': z.array(z.enum(SCOPES)).default([]),
    expires: z.enum(LIFETIMES),
  })
  .refine(({ preset, 'scopes[]': scopes }) => preset !== 'own' || scopes.length > 0, {
    path: ['scopes[]'],
    message: 'Tick at least one scope, or choose a preset.',
  })

function presetNames(): Preset[] {
  return Object.keys(PRESETS).filter((name): name is Preset => name in PRESETS)
}

// The list is not made anew by the answer: the page asks for it once the secret was seen, or the dialog with it would go.

/** Makes a key; its secret is told this once. */
export const createKeyAction = contractorAction('admin', Creation, async (actor, input) => {
  const { orm } = await database()
  const contractor = await findContractor(orm, actor.contractorId)
  if (!contractor) throw new ServiceError('not_found', 'This contractor is gone.')
  const { name, addresses: allowedAddresses, perMinute, preset, expires } = input
  const days = lifetimeDays(expires)
  const rights = preset === 'own' ? { scopes: input['scopes[]'] } : { scopes: PRESETS[preset].scopes, preset }
  const expiresAt = days === undefined ? undefined : new Date(Date.now() + days * 86_400_000)
  const made = await createKey(orm, contractor, { name, allowedAddresses, perMinute, expiresAt, ...rights }, actor)
  return { ok: true, data: { secret: made.text, scopes: made.scopes, preset: preset === 'own' ? null : preset } }
})

const Id = z.string().max(50)

/** Makes a successor; its secret is told this once. */
export const rotateKeyAction = contractorAction(
  'admin',
  z.object({ id: Id, overlap: z.enum(Object.keys(OVERLAPS).filter((name): name is Overlap => name in OVERLAPS)) }),
  async (actor, { id, overlap }) => {
    const made = await rotateKey((await database()).orm, id, overlap, actor)
    const oldWorksUntil = overlap === 'now' ? undefined : made.oldWorksUntil.toISOString()
    return { ok: true, data: { secret: made.text, scopes: made.scopes, oldWorksUntil } }
  },
)

export const changeKeyAction = contractorAction(
  'admin',
  z.object({ id: Id, ...Terms }),
  async (actor, { id, name, addresses, perMinute }) => {
    await changeKey((await database()).orm, id, { name, allowedAddresses: addresses, perMinute }, actor)
    return { ok: true, message: 'The key is changed.' }
  },
)

export const revokeKeyAction = contractorAction('admin', z.object({ id: Id }), async (actor, { id }) => {
  await revokeKey((await database()).orm, id, actor)
  return { ok: true, message: 'The key is revoked.' }
})
