import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { type SourceSecret, setSourceSecret, sourcesWithSecret } from '@/db/queries/leads'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { hashKey } from '@/lib/auth/keys'
import { ServiceError } from '@/lib/core/errors'
import { sealSecret } from '@/lib/leads/secrets'
import { findSource } from '@/lib/leads/sources/registry'
import { defineOperation } from './define'

/** Lead sources whose sender can prove itself by a secret: in the body, or by signing it. */
export const SOURCES_WITH_SECRET = ['google-ads', 'typeform', 'meta'] as const

const Source = z.enum(SOURCES_WITH_SECRET)
type SecretSource = z.output<typeof Source>

const newSecret = () => randomBytes(24).toString('base64url')

/** Reports whether a source's secret is entered: then the sender made it, not us. */
const isEntered = (source: SecretSource) => source === 'meta'

const Secret = z
  .string()
  .trim()
  .min(16, 'is too short: give at least 16 characters, so that nobody can guess it')
  .max(200)
  .describe('The secret that the sender uses; without it one is made. Meta makes its own: the app secret')

type Made = { stored: Partial<SourceSecret>; secret: string | null; verifyToken: string | null }

/** Returns what is stored of a source's secret, and what of it is shown this once. */
function made(source: SecretSource, entered: string | undefined): Made {
  const secret = entered ?? newSecret()
  const shown = entered === undefined ? secret : null
  if (!findSource(source)?.signature)
    return { stored: { secretHash: hashKey(secret) }, secret: shown, verifyToken: null }
  const sealed = sealSecret(secret)
  if (!isEntered(source)) return { stored: { sealed }, secret: shown, verifyToken: null }
  if (entered === undefined) {
    const message = 'is needed: enter the app secret that Meta shows under App settings, Basic'
    throw new ServiceError('bad_request', `secret: ${message}`, { fields: [{ field: 'secret', message }] })
  }
  const verifyToken = newSecret()
  return { stored: { sealed, secretHash: hashKey(verifyToken) }, secret: shown, verifyToken }
}

/** The sources that can prove themselves, and whether they must. */
export const listLeadSecrets = defineOperation({
  name: 'list_lead_secrets',
  title: 'Secrets of lead sources',
  description: 'The lead sources whose sender can prove itself by a secret, and whether one is set.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    items: z.array(
      z.object({
        source: Source,
        title: z.string(),
        header: z.string().nullable().describe('The header with the signature; null where the secret is in the body'),
        isEntered: z.boolean().describe('The sender makes the secret, and it is entered here'),
        isSet: z.boolean(),
      }),
    ),
  }),
  example: {
    items: [{ source: 'typeform', title: 'Typeform', header: 'typeform-signature', isEntered: false, isSet: true }],
  },
  run: async ({ actor: { contractorId } }) => {
    const set = await withinContractor((await database()).orm, contractorId, (tx) =>
      sourcesWithSecret(tx, contractorId),
    )
    const items = SOURCES_WITH_SECRET.map((source) => {
      const { title = source, signature } = findSource(source) ?? {}
      return {
        source,
        title,
        header: signature?.header ?? null,
        isEntered: isEntered(source),
        isSet: set.includes(source),
      }
    })
    return { items }
  },
})

/** Sets the secret by which a sender proves itself. */
export const setLeadSecret = defineOperation({
  name: 'set_lead_secret',
  title: 'Set the secret of a lead source',
  description: 'Makes or stores the secret of a lead source; leads of this source without it are refused from now on.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ source: Source, secret: Secret.optional() }).strict(),
  output: z.object({
    source: Source,
    secret: z.string().nullable().describe('Shown this once; null for one that was entered'),
    verifyToken: z.string().nullable().describe('What Meta must repeat when it verifies the URL. Shown this once'),
  }),
  example: { source: 'google-ads', secret: '…', verifyToken: null },
  run: async ({ actor }, { source, secret: entered }) => {
    const by = personOf(actor)
    const { stored, ...shown } = made(source, entered)
    await withinContractor((await database()).orm, by.contractorId, async (tx) => {
      await setSourceSecret(tx, by.contractorId, source, stored)
      await audit(tx, by, { event: 'lead_secret_set', subject: source, told: source })
    })
    return { source, ...shown }
  },
})

/** Removes a source's secret, so that its leads are accepted without one. */
export const removeLeadSecret = defineOperation({
  name: 'remove_lead_secret',
  title: 'Remove the secret of a lead source',
  description: 'Leads of this source are taken without a secret from now on.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ source: Source }).strict(),
  output: z.object({ source: Source }),
  example: { source: 'google-ads' },
  run: async ({ actor }, { source }) => {
    const by = personOf(actor)
    await withinContractor((await database()).orm, by.contractorId, async (tx) => {
      await setSourceSecret(tx, by.contractorId, source, undefined)
      await audit(tx, by, { event: 'lead_secret_removed', subject: source, told: source })
    })
    return { source }
  },
})
