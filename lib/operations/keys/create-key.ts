import * as z from 'zod'
import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { personOf } from '@/lib/auth/actor'
import { isLasting } from '@/lib/auth/lasting-keys'
import { createKey as create } from '@/lib/auth/manage-keys'
import { isSingle, PRESETS, type Preset, SCOPES, SINGLE_SCOPES, URL_PRESET } from '@/lib/auth/scopes'
import { ServiceError } from '@/lib/core/errors'
import { LEAD_SOURCES } from '@/lib/leads/sources/registry'
import { defineOperation } from '../define'
import { KeyTermsInput, MADE_KEY, MadeKeyOutput } from './terms'

const PRESET_NAMES = Object.keys(PRESETS).filter((name): name is Preset => name in PRESETS)

/** Creates a key for the contractor; `plb_test_` for a demonstration contractor. */
export const createKey = defineOperation({
  name: 'create_key',
  title: 'Create a key',
  description: 'Makes an API key with the scopes of a preset, or chosen ones, and shows its secret this once.',
  access: 'admin',
  effect: 'write',
  proof: {
    when: ({ now }, { preset, scopes, expiresAt = null }) =>
      isLasting({ scopes: [...(preset ? PRESETS[preset].scopes : []), ...scopes], expiresAt }, now),
  },
  input: KeyTermsInput.extend({
    preset: z.enum(PRESET_NAMES).optional(),
    leadSource: z.enum(LEAD_SOURCES).optional().describe('The source that a secret URL is for'),
    scopes: z
      .array(z.enum(SCOPES))
      .default([])
      .describe('Instead of a preset; beside one only those that no preset holds'),
    expiresAt: z.date().optional().describe('When it stops working; none for never'),
  })
    .strict()
    .refine(({ preset, scopes }) => preset !== undefined || scopes.length > 0, {
      path: ['scopes'],
      message: 'must name at least one scope, unless a preset is chosen',
    })
    .refine(({ preset, leadSource }) => (preset === URL_PRESET) === (leadSource !== undefined), {
      path: ['leadSource'],
      message: `is needed for a secret URL, and only there; it is one of ${LEAD_SOURCES.join(', ')}`,
    })
    .refine(({ preset, scopes }) => preset !== URL_PRESET || scopes.length === 0, {
      path: ['scopes'],
      message: 'cannot be given beside a secret URL, which only sends leads; create another key',
    })
    .refine(({ preset, scopes }) => preset === undefined || scopes.every(isSingle), {
      path: ['scopes'],
      message: `beside a preset may only name ${SINGLE_SCOPES.join(' and ')}; for others leave the preset out`,
    }),
  output: MadeKeyOutput,
  example: MADE_KEY,
  run: async ({ actor, now }, { preset, leadSource, scopes, expiresAt, ...terms }) => {
    if (expiresAt && expiresAt <= now) {
      const message = 'must lie in the future'
      throw new ServiceError('bad_request', `expiresAt: ${message}`, { fields: [{ field: 'expiresAt', message }] })
    }
    const { orm } = await database()
    const contractor = await findContractor(orm, actor.contractorId)
    if (!contractor) throw new ServiceError('not_found', 'This contractor is gone.')
    const rights = preset ? { preset, scopes: [...PRESETS[preset].scopes, ...scopes] } : { scopes }
    const { text, ...made } = await create(
      orm,
      contractor,
      { ...terms, ...rights, leadSource, expiresAt },
      personOf(actor),
    )
    return { ...made, secret: text }
  },
})
