import * as z from 'zod'
import { type Database, database } from '@/db/client'
import { idsByBeginning } from '@/db/queries/by-number'
import { type FoundRow, SHOWN_KINDS, type ShownKind } from '@/db/queries/find'
import { findRequest } from '@/db/queries/request-pages'
import { updateAnyStaleStatuses } from '@/db/queries/stale-statuses'
import type { Actor } from '@/lib/auth/actor'
import type { Candidates } from '@/lib/knowledge/find/candidates'
import { type FoundRecords, findRecords as find } from '@/lib/knowledge/find/find'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { mayRun } from '../access'
import { defineOperation } from '../define'
import { findByNumber } from '../named'
import { getRequest } from '../requests/log'

/** The kinds of records that can be found. */
export const TYPES = ['customer', 'project', 'lead', 'invoice', 'payment', 'estimate', 'request'] as const

const Fact = z.object({ name: z.string(), value: z.string() })
const Hit = z.object({
  type: z.enum(TYPES).describe('`lead` is a project in status lead'),
  id: z.string(),
  title: z.string().describe('The name or number that people call it by'),
  facts: z.array(Fact).max(2).describe('What tells it from others with the same title'),
})
type Hit = z.output<typeof Hit>

const isShown = (name: string): name is ShownKind => SHOWN_KINDS.some((kind) => kind === name)

/** The kinds that are found, by what their ids begin with, each with what is known of it. */
const KINDS = new Map(
  RESOURCES.flatMap(({ idPrefix, singular, scope, source }) =>
    isShown(singular) ? [[idPrefix, { kind: singular, scope, source }] as const] : [],
  ),
)

/** The kinds of records an actor may read. */
const kindsFor = ({ scopes }: Actor): ShownKind[] =>
  [...KINDS.values()].filter(({ scope }) => scopes.has(scope)).map(({ kind }) => kind)

/** Statuses that follow the clock: of what is found, and of the invoices that are shown with a customer. */
async function bringToDate(db: Database, contractorId: string, kinds: ReadonlySet<ShownKind>): Promise<void> {
  for (const { kind, source } of KINDS.values())
    if (kinds.has(kind) || (kind === 'invoice' && kinds.has('customer')))
      await updateAnyStaleStatuses(db, source, contractorId)
}

const day = (at: string | null) => at?.slice(0, 10)
const amount = ({ amount: sum, currency }: FoundRow) => (sum ? `${sum}${currency ? ` ${currency}` : ''}` : null)

/** Returns the facts that tell a record from others, the most telling first; people are told by how they are reached, sums by whose they are. */
function factsOf(row: FoundRow, mayReadCustomers: boolean): Hit['facts'] {
  const known = (facts: [string, string | null | undefined][]): Hit['facts'] =>
    facts.flatMap(([name, value]) => (value ? [{ name, value }] : [])).slice(0, 2)
  const customer: [string, string | null] = ['Customer', mayReadCustomers ? row.customer : null]
  switch (row.type) {
    case 'customer':
      return known([
        ['Phone', row.phone],
        ['Address', row.street],
        ['Email', row.email],
      ])
    case 'lead':
      return known([
        ...(mayReadCustomers && row.person !== row.customer
          ? [['Written by', row.person] as [string, string | null]]
          : []),
        customer,
        ['Received', day(row.at)],
        ['Address', row.street],
      ])
    case 'project':
      return known([customer, ['Status', row.status], ['Address', row.street]])
    case 'invoice':
      return known([customer, ['Amount', [amount(row), row.status].filter(Boolean).join(', ')], ['Due', day(row.at)]])
    case 'estimate':
      return known([customer, ['Amount', [amount(row), row.status].filter(Boolean).join(', ')], ['Date', day(row.at)]])
    case 'payment':
      return known([
        customer,
        ['Amount', [amount(row), day(row.at)].filter(Boolean).join(', ')],
        ['Method', row.status],
      ])
  }
}

const REQUEST = /^req_[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** A request of the log by its id, for those who may read the log. */
async function findLogged(actor: Actor, text: string): Promise<Hit[]> {
  if (!REQUEST.test(text) || !mayRun(getRequest, actor)) return []
  const id = text.toLowerCase()
  const found = await findRequest((await database()).orm, actor.contractorId, id.slice(4))
  if (!found) return []
  const facts = [
    { name: 'Status', value: `${found.status}` },
    { name: 'At', value: found.at },
  ]
  return [{ type: 'request', id, title: `${found.method} ${found.path}`, facts }]
}

const LENGTH = { error: 'must have 1 to 200 characters' }

/** Hits of one search, at most. */
const MOST_HITS = 50

/** The fewest characters of a number that are looked for as its beginning, the most records that are told of them, and their rank. */
const SHORTEST_BEGINNING = 3
const MOST_BEGINNING = 10
const BEGINNING_FIT = 0.9

/** Records whose number begins with a text, such as `26-0100` of 26-0100-2. */
async function beginningWith(db: Database, actor: Actor, text: string): Promise<Candidates> {
  if (text.length < SHORTEST_BEGINNING) return []
  const kinds = [resources.invoices, resources.estimates].filter(({ scope }) => actor.scopes.has(scope))
  return await Promise.all(
    kinds.map(async ({ singular, source }) => ({
      kind: singular,
      ids: await idsByBeginning(db, source, actor.contractorId, text, MOST_BEGINNING),
      fit: BEGINNING_FIT,
    })),
  )
}

/** Records with a number, such as `23-0017-1`, which the index of last digits would find among all that end in 1, or its beginning. */
async function numberedBy(db: Database, actor: Actor, text: string): Promise<Candidates> {
  if (!/\d/.test(text)) return []
  const [found, begun] = await Promise.all([findByNumber(db, actor, text), beginningWith(db, actor, text)])
  const whole = found.flatMap(({ id }) => {
    const kind = KINDS.get(id.slice(0, id.indexOf('_')))?.kind
    return kind ? [{ kind, ids: [id], fit: 1 }] : []
  })
  return [...whole, ...begun]
}

const FindInput = z
  .object({
    query: z
      .string()
      .trim()
      .min(1, LENGTH)
      .max(200, LENGTH)
      .describe('Such as `Whitfield`, `1204 Oak`, `555-0142`, `invoice 42`, `dana@example.com`'),
    types: z.array(z.enum(TYPES)).min(1).max(TYPES.length).optional().describe('Only these kinds; all when left out'),
    limit: z.int().min(1).max(MOST_HITS).default(10).describe('Hits, at most'),
  })
  .strict()

/** Finds records for an actor, the best first, each with how well it matches: 1 when every word is met exactly. */
export async function recordsFor(
  actor: Actor,
  text: string,
  limit: number,
): Promise<{ records: (Hit & { fit: number })[]; counts: FoundRecords['counts'] }> {
  const kinds = kindsFor(actor)
  if (kinds.length === 0) return { records: [], counts: new Map() }
  const { contractorId } = actor
  const db = await database()
  const { records, counts } = await find(db, {
    contractorId,
    kinds,
    text,
    limit,
    numbered: numberedBy(db, actor, text),
    kindOfId: (id: string) => KINDS.get(id.slice(0, id.indexOf('_')))?.kind,
    bringToDate: (of: ReadonlySet<ShownKind>) => bringToDate(db, contractorId, of),
  })
  const shown = records.map((row) => ({
    type: row.type,
    id: row.id,
    title: row.title || row.id,
    facts: factsOf(row, actor.scopes.has('read:customers')),
    fit: row.fit,
  }))
  return { records: shown, counts }
}

/** Finds records by what people know of them. */
export const findRecords = defineOperation({
  name: 'find_records',
  title: 'Find records',
  description:
    'Finds customers, projects, leads, invoices, payments and estimates by what people say of them: a name, a street, a phone number or its ' +
    'last digits, an email address, a number, an id; the best first. One typing error a word is forgiven. Only what the caller may read is ' +
    'found. For text in documents and notes use rag_search; for everything of one record get_record.',
  access: 'any_key',
  effect: 'read',
  input: FindInput,
  output: z.object({
    hits: z.array(Hit),
    more: z
      .int()
      .nonnegative()
      .describe('How many more match; of a very common word only the first 200 of a kind are counted'),
  }),
  example: {
    hits: [
      {
        type: 'customer',
        id: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        title: 'Dana Whitfield',
        facts: [
          { name: 'Phone', value: '+16155550142' },
          { name: 'Address', value: '1204 Oak Street, Nashville' },
        ],
      },
    ],
    more: 0,
  },
  tool: {
    category: 'search',
    example: { query: 'Oak Street' },
    input: FindInput.extend({ limit: z.int().min(1).max(25).default(10).describe('Hits, at most') }),
    untrusted: ['title', 'value'],
  },
  run: async ({ actor }, { query, types, limit }) => {
    const isWanted = (type: Hit['type']) => types?.includes(type) ?? true
    const [logged, found] = await Promise.all([
      isWanted('request') ? findLogged(actor, query) : [],
      // Of everything, because records are also found by what belongs to them, such as a project by its customer's name.
      recordsFor(actor, query, types ? MOST_HITS : limit),
    ])
    const records = found.records
      .filter(({ type }) => isWanted(type))
      .map(({ type, id, title, facts }) => ({ type, id, title, facts }))
    const hits = [...logged, ...records].slice(0, limit)
    const matching = [...found.counts].reduce((sum, [type, n]) => sum + (isWanted(type) ? n : 0), logged.length)
    return { hits, more: Math.max(0, matching - hits.length) }
  },
})
