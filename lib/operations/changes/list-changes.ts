import * as z from 'zod'
import { database } from '@/db/client'
import type { FeedPage } from '@/db/queries/changes'
import type { Actor } from '@/lib/auth/actor'
import { unauthorized } from '@/lib/auth/presented-key'
import { ServiceError } from '@/lib/core/errors'
import { aside } from '@/lib/core/parts'
import { RESOURCE_NAMES, type ResourceName, scopeOf } from '@/lib/core/resource-names'
import { stopping } from '@/lib/core/stopping'
import { Instant } from '@/lib/resources/fields'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { pageOf, readFeed } from '@/lib/sync/feed'
import { WAITERS, waiters } from '@/lib/sync/waiters'
import { type Context, defineOperation, JsonText } from '../define'
import { detailFields, INCLUDE, sourceFor } from '../details'
import { fieldType } from '../field-type'
import { COMMON } from '../list-input'
import { API_VERSION, requireOwn } from '../lists'
import { cursorGone, issueCursor, readCursor } from './cursor'
import { A_CURSOR, A_TOTAL, CursorInput, Totals } from './fields'

const LONGEST_WAIT_SECONDS = 25
const RETRY_SECONDS = 5
const LIMIT = { error: 'must be a whole number from 1 to 500' }
const WAIT = { error: `must be a whole number of seconds from 0 to ${LONGEST_WAIT_SECONDS}` }

const isName = (text: string): text is ResourceName => RESOURCE_NAMES.some((name) => name === text)

/** Names of resources, each once: `invoices,payments`. */
const Resources = z
  .string()
  .max(200)
  .transform((text, ctx) => {
    const names = text.split(',').map((name) => name.trim())
    const unknown = names.filter((name) => !isName(name))
    if (unknown.length === 0) return [...new Set(names.filter(isName))]
    ctx.addIssue({ code: 'custom', message: `must be names of ${RESOURCE_NAMES.join(', ')}, separated by commas` })
    return z.NEVER
  })

const CHANGES = ['created', 'updated', 'turned', 'deleted'] as const

const itemOf = <Name extends string>(name: Name, record: z.ZodObject) =>
  z.object({
    resource: z.literal(name),
    change: z
      .enum(CHANGES)
      .describe('`turned`: only the status changed, with time alone, such as an invoice that became overdue'),
    id: z.string(),
    updatedAt: Instant.optional().describe(
      'The record’s `updatedAt` after this change: what the checksum counts. Absent when it was deleted',
    ),
    at: Instant.describe('When the change entered the feed'),
    record: record
      .optional()
      .describe('The record as it is now, perhaps newer than this change. Absent when it no longer exists'),
  })
const [first, ...rest] = RESOURCES.map((resource) =>
  itemOf(resource.name, resource.output.extend(detailFields(resource))),
)
if (!first) throw new Error('there are no resources')

/** The fields of a change, as the metadata document names them. */
export const FEED_FIELDS = Object.entries(first.shape).map(([name, schema]) => ({ name, type: fieldType(schema) }))

/** Returns the resources a page is about. @throws ServiceError `forbidden` or `bad_request` when it cannot be about all that were named */
function wantedOf(
  actor: Actor,
  named: ResourceName[] | undefined,
  covered: ResourceName[] | undefined,
): ResourceName[] {
  const readable = RESOURCE_NAMES.filter((name) => actor.scopes.has(scopeOf(name)))
  const wanted = named ?? (covered ?? readable).filter((name) => readable.includes(name))
  if (wanted.length === 0)
    throw new ServiceError(
      'forbidden',
      'This key reads none of the resources that the feed tells of. Use a key with such a scope, or ask your administrator for one.',
    )
  const uncovered = wanted.filter((name) => covered?.includes(name) === false)
  if (uncovered.length === 0) return wanted
  const message =
    `The cursor does not cover ${uncovered.join(' and ')}, so changes of before it would be missing. ` +
    'Leave those out, or begin for them with a cursor of their own: request /changes without a cursor, then read their lists.'
  throw new ServiceError('bad_request', message, { fields: [{ field: 'cursor', message }] })
}

/** Waits for a page that is not empty, without holding a connection, as long as the client does. */
async function awaitItems(
  { actor, gone }: Context,
  read: () => Promise<FeedPage>,
  empty: FeedPage,
  milliseconds: number,
): Promise<FeedPage> {
  const end = performance.now() + milliseconds
  const holder = actor.kind === 'key' ? actor : undefined
  const subject = holder?.keyId ?? `${actor.kind} ${actor.contractorId}`
  const leave = waiters().takePlace(actor.contractorId, subject)
  if (!leave)
    throw new ServiceError(
      'rate_limited',
      `Too many requests wait for changes already; a key may have ${WAITERS.ofKey} at once, and all keys of a contractor ${WAITERS.ofContractor}. End one, or ask without wait.`,
      { headers: { 'retry-after': String(RETRY_SECONDS) } },
    )
  const clientGone = gone?.()
  try {
    let page = empty
    for (let most = milliseconds; most > 0 && !stopping().aborted; most = end - performance.now()) {
      const { position } = page.end
      const changed = () => waiters().changed(actor.contractorId, position, most, clientGone, holder?.keyId)
      if (await aside('wait for changes', changed)) throw unauthorized(undefined, holder?.grant?.face)
      if (clientGone?.aborted) break
      page = await read()
      if (page.n > 0 || page.more || !page.known) break
    }
    return page
  } finally {
    leave()
  }
}

type Input = {
  contractorId?: string | undefined
  cursor?: string | undefined
  resources?: ResourceName[] | undefined
  include?: 'details' | undefined
  limit: number
  wait: number
}

async function run(context: Context, input: Input): Promise<JsonText> {
  const { actor } = context
  requireOwn(actor, input.contractorId)
  const { contractorId } = actor
  const after = input.cursor === undefined ? undefined : readCursor(contractorId, input.cursor)
  const wanted = wantedOf(actor, input.resources, after?.resources)
  const query = { contractorId, resources: wanted, after, limit: input.limit }
  const shown = RESOURCES.map((resource) => ({
    name: resource.name,
    source: sourceFor(resource, actor, input.include),
  }))
  const statement = input.include && pageOf(shown)
  const read = async () => readFeed(await database(), query, statement)
  let page = await read()
  if (after && page.known && page.n === 0 && !page.more && input.wait > 0)
    page = await awaitItems(context, read, page, input.wait * 1000)
  if (!page.known) throw cursorGone()
  const cursor = issueCursor(contractorId, { ...page.end, resources: wanted })
  return new JsonText(
    `{"apiVersion":"${API_VERSION}","items":${page.items},"cursor":"${cursor}","more":${page.more},"totals":${page.totals}}`,
  )
}

/** `GET /changes`: everything that changed behind a cursor, in one order over all resources. */
export const listChanges = defineOperation({
  name: 'list_changes',
  title: 'List changes',
  description:
    'What was created, updated and deleted, in one order over all resources, behind a cursor. Without a cursor it answers none, and the cursor ' +
    'of now: read the lists once, then go on from it. Nothing is missed, also not what is committed late. Changes are kept for 90 days. Shows the ' +
    'resources that the key may read.',
  access: 'any_key',
  effect: 'read',
  limit: 'dataApi',
  input: z.object({
    contractorId: COMMON.contractorId,
    cursor: CursorInput.optional().describe('The cursor of the answer before, unchanged; leave it out to begin now'),
    resources: Resources.optional().describe(
      'Only these, separated by commas: `invoices,payments`. All that the key may read when left out; with a cursor, those of that cursor',
    ),
    ...INCLUDE,
    limit: z.int(LIMIT).min(1, LIMIT).max(500, LIMIT).default(100).describe('Changes per page'),
    wait: z
      .int(WAIT)
      .min(0, WAIT)
      .max(LONGEST_WAIT_SECONDS, WAIT)
      .default(0)
      .describe('Seconds to wait for a change when there is none; the answer comes as soon as there is one'),
  }),
  output: z.object({
    apiVersion: z.literal(API_VERSION),
    items: z.array(z.discriminatedUnion('resource', [first, ...rest])),
    cursor: z.string().describe('Send it as `cursor` for what follows. Store it once the items are stored'),
    more: z.boolean().describe('Whether more follows right now; ask again at once'),
    totals: Totals.describe(
      'By resource, what there is at this cursor. When your copy has the same count and checksum, it misses nothing; ' +
        'null while the records of before the feed are being counted',
    ),
  }),
  example: {
    apiVersion: API_VERSION,
    items: [
      {
        resource: 'invoices',
        change: 'turned',
        id: resources.invoices.example.id,
        updatedAt: resources.invoices.example.updatedAt,
        at: resources.invoices.example.updatedAt,
        record: resources.invoices.example,
      },
      {
        resource: 'payments',
        change: 'deleted',
        id: resources.payments.example.id,
        at: resources.payments.example.updatedAt,
      },
    ],
    cursor: A_CURSOR,
    more: false,
    totals: { invoices: A_TOTAL, payments: { count: 1190, checksum: '00c4d1f7a2093b6e' } },
  },
  http: { method: 'GET', path: '/changes', at: 'data' },
  alsoNeeds: ({ resources: named = [] }) => named.map(scopeOf),
  run,
})
