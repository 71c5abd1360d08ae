import * as z from 'zod'
import { baseUrls, env } from '@/lib/core/env'
import { RESOURCES } from '@/lib/resources/registry'
import { type Context, defineOperation } from '../define'
import { execute } from '../execute'
import { getRecord } from '../get-record'
import { findRecords } from './find-records'
import { resourceOfId } from './meant'
import { ragSearch } from './rag-search'
import { readDocument } from './read-document'

/**
 * The two tools that the connectors of some chat products call and no others (OpenAI, "Building MCP servers for ChatGPT and API integrations"):
 * `search` gives ids, titles and addresses, `fetch` the text of one. Both are made of the operations that other agents call.
 */
const DOCUMENT = /^doc_\w{1,60}$/

const Title = z.string().describe('The name or number that people call it by')
const Url = z.string().describe('Where people see it, to cite')

/** The address of a record in the portal, or of a document where it came from. */
function urlOf(id: string, link: string | null): string {
  const resource = resourceOfId(id)
  if (resource) return `${baseUrls(env()).portal}/${resource.name}/${id}`
  return link ?? `plumbline://documents/${id}`
}

const RECORDS = ['customer', 'project', 'lead', 'invoice', 'payment', 'estimate'] as const
/** The most hits of each kind of search. */
const MOST = 10
const LONGEST_NAME = 200

const LENGTH = { error: 'must have 1 to 400 characters' }

/** Finds records and texts by a query, the best first. */
export const search = defineOperation({
  name: 'search',
  title: 'Search records and documents',
  description:
    'Finds records of this contractor (customers, projects, leads, invoices, payments, estimates) by a name, a street, a phone number or a ' +
    'number, and texts in its documents, notes, messages, permits and price book. fetch has the whole of a result. For figures and lists ' +
    'use the other tools.',
  access: 'any_key',
  effect: 'read',
  limit: 'rag',
  input: z.object({ query: z.string().trim().min(1, LENGTH).max(400, LENGTH).describe('What is looked for') }).strict(),
  output: z.object({ results: z.array(z.object({ id: z.string(), title: Title, url: Url })) }),
  example: {
    results: [
      {
        id: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        title: 'Dana Whitfield',
        url: 'https://plumbline.example/customers/cus_01jb2w9r4s8kq0v6m3n5x7y9za',
      },
    ],
  },
  tool: { category: 'search', example: { query: 'Oak Street' }, untrusted: ['title'], oneText: true },
  run: async ({ actor, now }, { query }) => {
    const ctx = { actor, now }
    const isName = query.length <= LONGEST_NAME
    const mayReadTexts = actor.scopes.has('read:documents')
    const [texts, records] = await Promise.all([
      mayReadTexts ? execute(ragSearch, ctx, { query, topK: MOST }) : { hits: [] },
      isName ? execute(findRecords, ctx, { query, types: [...RECORDS], limit: MOST }) : { hits: [] },
    ])
    // The guides are the developers'. A record that the text search has named already stands there.
    const own = texts.hits.filter(({ type }) => type !== 'guide')
    const others = records.hits.filter(({ id }) => own.every((hit) => hit.id !== id))
    const found = [...own, ...others.map(({ id, title }) => ({ id, title, link: null }))]
    return { results: found.map(({ id, title, link }) => ({ id, title, url: urlOf(id, link) })) }
  },
})

/** The most characters of a text: an answer to an agent has at most 25,000. */
const MOST_CHARACTERS = 20_000

/** A value as lines of text, each with the name of its field; what is within another stands two spaces further in. */
function linesOf(value: unknown, name: string, indent = ''): string[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [`${indent}${name}: ${value}`]
  const within = Array.isArray(value)
    ? value.flatMap((each, i) => linesOf(each, `${i + 1}`, `${indent}  `))
    : Object.entries(value).flatMap(([field, each]) => linesOf(each, field, `${indent}  `))
  return within.length === 0 ? [] : [`${indent}${name}:`, ...within]
}

const Record = z.looseObject({
  name: z.string().optional(),
  number: z.string().optional(),
  reference: z.string().optional(),
})

async function recordText(ctx: Context, id: string) {
  const { type, record, neighbours } = await execute(getRecord, ctx, { id })
  const { name, number, reference } = Record.parse(record)
  const lines = [...linesOf(record, type), ...linesOf(neighbours, 'neighbours')]
  return { title: name ?? number ?? reference ?? id, text: lines.join('\n'), link: null, type, more: 0 }
}

/** The sections of a document, page after page, as far as they fit. */
async function documentText(ctx: Context, id: string) {
  const first = await execute(readDocument, ctx, { id })
  const sections = [...first.sections]
  const lengthOf = () => sections.reduce((sum, { sectionText }) => sum + sectionText.length, 0)
  let { more } = first
  while (more > 0 && lengthOf() < MOST_CHARACTERS) {
    const page = await execute(readDocument, ctx, { id, skip: sections.length })
    sections.push(...page.sections)
    more = page.sections.length === 0 ? 0 : page.more
  }
  const text = sections
    .map(({ heading, sectionText }) => [heading, sectionText].filter(Boolean).join('\n'))
    .join('\n\n')
  return { title: first.title, text, link: first.link, type: first.type, more }
}

/** Gives the text of what a search found. */
export const fetch = defineOperation({
  name: 'fetch',
  title: 'Fetch a record or document',
  description:
    'The whole of what search found, as text: a record with what belongs to it, or a document. get_record and read_document have the same ' +
    'as data.',
  access: 'any_key',
  effect: 'read',
  input: z.object({ id: z.string().trim().min(1).max(100).describe('As search gives it') }).strict(),
  output: z.object({
    id: z.string(),
    title: Title,
    text: z.string().describe(`At most ${MOST_CHARACTERS} characters`),
    url: Url,
    metadata: z.object({
      type: z.string(),
      truncated: z.boolean().describe('True when there is more text than this'),
    }),
  }),
  example: {
    id: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    title: 'Dana Whitfield',
    text: 'customer:\n  id: cus_01jb2w9r4s8kq0v6m3n5x7y9za\n  name: Dana Whitfield',
    url: 'https://plumbline.example/customers/cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    metadata: { type: 'customer', truncated: false },
  },
  tool: {
    category: 'search',
    example: { id: RESOURCES[0]?.example.id },
    untrusted: ['title', 'text'],
    oneText: true,
  },
  alsoNeeds: ({ id }) => (DOCUMENT.test(id) ? ['read:documents'] : []),
  run: async ({ actor, now }, { id }) => {
    const ctx = { actor, now }
    const { title, text, link, type, more } = await (DOCUMENT.test(id) ? documentText(ctx, id) : recordText(ctx, id))
    const truncated = more > 0 || text.length > MOST_CHARACTERS
    return {
      id,
      title,
      text: text.slice(0, MOST_CHARACTERS).toWellFormed(),
      url: urlOf(id, link),
      metadata: { type, truncated },
    }
  },
})
