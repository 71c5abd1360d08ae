import * as z from 'zod'
import { database } from '@/db/client'
import { insertContractor, listContractors as stored } from '@/db/queries/contractors'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { defineOperation } from '../define'
import { ContractorName, CurrencyCode, TimeZone } from './settings'

/** Turns a name into a slug: lower case, words joined by hyphens. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const Slug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'must have 2 to 63 lower-case letters, digits and hyphens')

const ContractorOutput = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  trade: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  timezone: z.string(),
  currency: z.string(),
  country: z.string().nullable(),
  locale: z.string().nullable(),
  demo: z.boolean(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const EXAMPLE: z.output<typeof ContractorOutput> = {
  id: 'con_01k9zq2v6n8m4t5c3b7x1w0jd2',
  slug: 'harpeth-roofing',
  name: 'Harpeth Roofing',
  trade: 'roofing',
  city: 'Franklin',
  state: 'TN',
  timezone: 'America/Chicago',
  currency: 'USD',
  country: null,
  locale: null,
  demo: false,
  createdAt: new Date('2026-11-01T08:30:00.000Z'),
  updatedAt: new Date('2026-11-01T08:30:00.000Z'),
}

/** Adds a contractor. */
export const createContractor = defineOperation({
  name: 'create_contractor',
  title: 'Create a contractor',
  description: 'Adds a contractor, with no data, keys or team yet.',
  access: 'operator',
  effect: 'write',
  input: z
    .object({
      name: ContractorName,
      slug: Slug.optional().describe('Short name for commands; made from the name when left out'),
      trade: z.string().optional(),
      city: z.string().optional(),
      state: z.string().optional(),
      timezone: TimeZone.optional(),
      currency: CurrencyCode.optional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be two capital letters such as US (ISO 3166-1)')
        .optional()
        .describe('Settles how dates, amounts and phones are read; from the time zone and the currency when left out'),
      demo: z.boolean().optional().describe('A demonstration contractor: its keys are test keys'),
    })
    .strict(),
  output: ContractorOutput,
  example: EXAMPLE,
  run: async (_, { slug: given, ...contractor }) => {
    const slug = Slug.safeParse(given ?? slugOf(contractor.name))
    if (!slug.success)
      throw new ServiceError('bad_request', 'No slug can be made from this name. Give one with --slug.')
    const made = await insertContractor((await database()).orm, {
      id: newId('contractor'),
      ...contractor,
      slug: slug.data,
    })
    if (made) return made
    throw new ServiceError('bad_request', 'Another contractor has this slug. Choose another with --slug.')
  },
})

/** Lists every contractor of this installation. */
export const listContractors = defineOperation({
  name: 'list_contractors',
  title: 'Contractors',
  description: 'Every contractor, by slug.',
  access: 'operator',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({ items: z.array(ContractorOutput) }),
  example: { items: [EXAMPLE] },
  run: async () => ({ items: await stored((await database()).orm) }),
})
