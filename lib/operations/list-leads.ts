import * as z from 'zod'
import { database } from '@/db/client'
import { listLeads as pageOfLeads } from '@/db/queries/list-leads'
import { env } from '@/lib/core/env'
import { LEAD_CATEGORIES } from '@/lib/leads/category'
import { Amount, FromMoment, Instant, severalOf, ToMoment } from '@/lib/resources/fields'
import { MatchedBy, ProjectStatus } from '@/lib/resources/projects'
import { type Context, defineOperation, JsonText } from './define'
import { LeadPerson } from './lead-person'
import { INCREMENTAL } from './list-input'
import { issuePageToken, presentStrings, readPageToken, requireTokens, type TokenBinding } from './list-page'

const OUTCOMES = ['won', 'open', 'lost'] as const
const LIMIT = { error: 'must be a whole number from 1 to 25' }
const FILTERS = ['from', 'to', 'category', 'outcome', 'source']

const bindingOf = ({ actor }: Context, input: Record<string, unknown>): TokenBinding => ({
  resource: 'leads',
  contractorId: actor.contractorId,
  keyId: actor.kind === 'key' ? actor.keyId : actor.kind,
  filters: presentStrings(input, FILTERS),
})

/** Lists leads with where they came from and what became of them. */
export const listLeads = defineOperation({
  name: 'list_leads',
  title: 'List leads',
  description:
    'Leads, latest first: who wrote and what, source, category, outcome, the project each became. A lead is open while its project is in status lead or estimate; with outcome open this ' +
    'has them all, also those that came by a file, which tells no source. list_projects with these statuses finds the same.',
  access: 'read:projects',
  effect: 'read',
  input: z
    .object({
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Items per page'),
      pageToken: INCREMENTAL.pageToken.describe('nextPageToken of the page before'),
      from: FromMoment.optional().describe('First day received (UTC)'),
      to: ToMoment.optional().describe('Last day received (UTC)'),
      category: severalOf(LEAD_CATEGORIES)
        .optional()
        .describe('Google is search_ads, Facebook social_ads, website website_form'),
      outcome: severalOf(OUTCOMES).optional().describe('won: became a job'),
      source: z.string().trim().min(1).max(80).optional().describe('Part of the source’s own name'),
    })
    .strict(),
  output: z.object({
    count: z.int().nullish().describe('How many are found; null beyond 10,000, absent on later pages'),
    items: z.array(
      z.object({
        receivedAt: Instant.describe('Of one that a file brought, when it was made there, or else loaded'),
        source: z.string().optional().describe('As the sender named it; absent of one that a file brought'),
        category: z.enum(LEAD_CATEGORIES).optional(),
        outcome: z.enum(OUTCOMES).describe('From the status of its project'),
        leadName: z.string().optional().describe('Who wrote, as sent, like email and phone'),
        email: z.string().optional(),
        phone: z.string().optional(),
        differs: LeadPerson.shape.differs.optional(),
        customerName: z.string().optional().describe('The customer the lead was matched to'),
        message: z.string().optional().describe('What they wrote, up to 500 characters'),
        matchedBy: MatchedBy.optional(),
        customerId: z.string(),
        projectId: z.string(),
        jobNumber: z.int().optional(),
        projectName: z.string(),
        status: ProjectStatus,
        amount: Amount.describe('Contract sum of the project'),
        followUp: z.iso.date().optional().describe('The day to follow up on it'),
      }),
    ),
    nextPageToken: z.string().nullable(),
  }),
  example: {
    count: 1,
    items: [
      {
        receivedAt: '2026-10-04T14:12:09.481Z',
        source: 'Google Ads',
        category: 'search_ads',
        outcome: 'won',
        leadName: 'Dana Whitfield',
        phone: '+16155550142',
        differs: [],
        customerName: 'Dana Whitfield',
        message: 'Two layers to tear off.',
        matchedBy: 'new',
        customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
        jobNumber: 107,
        projectName: 'Re-roof, architectural shingle, 28 sq',
        status: 'scheduled',
        amount: 18450.75,
      },
    ],
    nextPageToken: null,
  },
  tool: {
    category: 'leads',
    example: { outcome: ['won'], limit: 5 },
    untrusted: ['source', 'leadName', 'customerName', 'email', 'message', 'projectName'],
  },
  run: async (ctx, input) => {
    const { actor, now } = ctx
    const { limit, from, to, category, outcome, source, pageToken } = input
    const binding = bindingOf(ctx, input)
    const page = await pageOfLeads(await database(), {
      contractorId: actor.contractorId,
      limit,
      from,
      to,
      categories: category,
      outcomes: outcome,
      source,
      after: pageToken === undefined ? undefined : readPageToken(requireTokens(), pageToken, binding, now),
      mayReadCustomers: actor.scopes.has('read:customers'),
    })
    const [secret] = env().tokenSecrets
    const place = page.more && page.at && page.id ? { at: page.at, id: page.id } : undefined
    const next = place && secret ? `"${issuePageToken(secret, place, binding, now)}"` : 'null'
    const count = pageToken === undefined ? `"count":${page.count ?? null},` : ''
    return new JsonText(`{${count}"items":${page.items},"nextPageToken":${next}}`)
  },
})
