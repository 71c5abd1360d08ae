import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { database, withinContractor } from '@/db/client'
import { setSourceSecret } from '@/db/queries/leads'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { hashKey } from '@/lib/auth/keys'
import { defineOperation } from './define'

/** Lead sources whose sender puts a secret in the body. */
export const SOURCES_WITH_SECRET = ['google-ads'] as const

const Source = z.enum(SOURCES_WITH_SECRET)

/** Creates the secret that a sender must put in its body. */
export const setLeadSecret = defineOperation({
  name: 'set_lead_secret',
  title: 'Set the secret of a lead source',
  description: 'Makes a new secret and shows it this once; leads of this source without it are refused from now on.',
  access: 'admin',
  effect: 'write',
  input: z.object({ source: Source }).strict(),
  output: z.object({ source: Source, secret: z.string() }),
  example: { source: 'google-ads', secret: '…' },
  run: async ({ actor }, { source }) => {
    const by = personOf(actor)
    const secret = randomBytes(24).toString('base64url')
    await withinContractor((await database()).orm, by.contractorId, async (tx) => {
      await setSourceSecret(tx, by.contractorId, source, hashKey(secret))
      await audit(tx, by, { event: 'lead_secret_set', subject: source })
    })
    return { source, secret }
  },
})

/** Removes a source's secret, so that its leads are accepted without one. */
export const removeLeadSecret = defineOperation({
  name: 'remove_lead_secret',
  title: 'Remove the secret of a lead source',
  description: 'Leads of this source are taken without a secret from now on.',
  access: 'admin',
  effect: 'write',
  input: z.object({ source: Source }).strict(),
  output: z.object({ source: Source }),
  example: { source: 'google-ads' },
  run: async ({ actor }, { source }) => {
    const by = personOf(actor)
    await withinContractor((await database()).orm, by.contractorId, async (tx) => {
      await setSourceSecret(tx, by.contractorId, source, undefined)
      await audit(tx, by, { event: 'lead_secret_removed', subject: source })
    })
    return { source }
  },
})
