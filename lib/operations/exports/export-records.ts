import * as z from 'zod'
import { database } from '@/db/client'
import type { Actor } from '@/lib/auth/actor'
import { csvLine } from '@/lib/core/csv-line'
import { ServiceError } from '@/lib/core/errors'
import { identifierOf, type ResourceName } from '@/lib/core/resource-names'
import { shared } from '@/lib/core/shared'
import { parseInstant } from '@/lib/core/time'
import { Places } from '@/lib/limits/places'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { exportTexts } from '@/lib/sync/export'
import { readFeed, totalsAt } from '@/lib/sync/feed'
import { cursorGone, issueCursor, readCursor } from '../changes/cursor'
import { A_CURSOR, CursorInput } from '../changes/fields'
import { type Context, defineOperation, Streamed } from '../define'
import { detailFields, INCLUDE, sourceFor } from '../details'
import { COMMON } from '../list-input'
import { tokensOn } from '../list-page'
import { requireOwn } from '../lists'

/** The maximum numbers of exports at once: of one contractor, and in this process. */
export const EXPORTS = { ofSubject: 2, ofProcess: 10 }
const places = shared<Places>('exportPlaces', () => new Places(EXPORTS))
const RETRY_SECONDS = 10

const TYPES = { ndjson: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' }

/** The `<updatedAt>,<id>` of the last record that was received. */
const After = z
  .string()
  .max(200)
  .transform((text, ctx) => {
    const [at = '', id = '', ...rest] = text.split(',')
    const moment = parseInstant(at)
    if (moment && id !== '' && rest.length === 0) return { at: moment.toISOString(), id }
    ctx.addIssue({ code: 'custom', message: 'must be `updatedAt` and `id` of the last record, with a comma between' })
    return z.NEVER
  })

function refuse(field: string, message: string): never {
  throw new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })
}

/**
 * Returns the cursor of the feed from which changes complete the export; null on a server without cursors. One that is given is checked
 * and stays.
 */
async function cursorOf(
  { contractorId }: Actor,
  { name }: Resource,
  given: string | undefined,
): Promise<string | null> {
  const db = await database()
  if (given === undefined) {
    if (!tokensOn()) return null
    const { end } = await readFeed(db, { contractorId, resources: [name], after: undefined, limit: 1 })
    return issueCursor(contractorId, { ...end, resources: [name] })
  }
  const place = readCursor(contractorId, given)
  if (!place.resources.includes(name)) refuse('cursor', `is not of an export of ${name}`)
  const { known } = await totalsAt(db, { contractorId, resources: [name], after: place })
  if (!known) throw cursorGone()
  return given
}

function takePlace(actor: Actor): () => void {
  const give = places().take(actor.contractorId)
  if (give) return give
  throw new ServiceError(
    'rate_limited',
    `Too many exports are running; a contractor may have ${EXPORTS.ofSubject} at once. Wait until one has ended.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  )
}

/** Gives a place back when a generator ends or is ended, also when it never began, which would skip its `finally`. */
function releasing(chunks: AsyncGenerator<string>, release: () => void): AsyncGenerator<string> {
  const ended = async (step: Promise<IteratorResult<string>>) => {
    const result = await step.catch((error) => {
      release()
      throw error
    })
    if (result.done) release()
    return result
  }
  return {
    next: () => ended(chunks.next()),
    return: (value) => ended(chunks.return(value)),
    throw: (error) => ended(chunks.throw(error)),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

type Input = {
  contractorId?: string | undefined
  format: 'ndjson' | 'csv'
  include?: 'details' | undefined
  cursor?: string | undefined
  after?: { at: string; id: string } | undefined
}

async function* linesOf(
  resource: Resource,
  { actor }: Context,
  { format, after, include }: Input,
  cursor: string | null,
) {
  const source = sourceFor(resource, actor, include)
  if (format === 'csv' && !after) yield csvLine(source.columns.map(({ field }) => field))
  let count = 0
  const form = format === 'csv' ? 'cells' : 'lines'
  const { contractorId } = actor
  for await (const { text, n } of exportTexts(await database(), { contractorId, source, form, after })) {
    count += n
    yield text
  }
  if (format === 'ndjson') yield `${JSON.stringify({ cursor, count })}\n`
}

/** `GET /export/<resource>`: all records of a resource in one answer. */
export function exportOperation(resource: Resource) {
  const { name } = resource
  const line = JSON.stringify(resource.example)
  return defineOperation({
    name: `export_${identifierOf(name)}`,
    title: `Export ${name}`,
    description:
      `All of the contractor’s ${name} in one streamed answer. The header \`X-Changes-Cursor\`, and the last line of NDJSON, have the cursor from ` +
      'which /changes completes the copy: apply what follows it, and nothing is missing, whatever changed meanwhile. To go on after an ' +
      'interruption, send that cursor, and as `after` the last record that arrived whole.',
    access: resource.scope,
    effect: 'read',
    limit: 'export',
    input: z.object({
      contractorId: COMMON.contractorId,
      format: z.enum(['ndjson', 'csv']).default('ndjson').describe('In place of `Accept`'),
      ...INCLUDE,
      cursor: CursorInput.optional().describe('With `after`: the cursor of the interrupted export'),
      after: After.optional().describe(
        'Goes on behind this record: its `updatedAt` and `id`, with a comma between. CSV then has no header line',
      ),
    }),
    output: resource.output.extend(detailFields(resource)),
    example: resource.example,
    http: {
      method: 'GET',
      path: `/export/${name}`,
      at: 'data',
      streams: {
        ndjson: {
          type: 'application/x-ndjson',
          description: `One ${resource.singular} a line, as the list gives it. The last line has \`cursor\` and \`count\` instead; without it the answer is not whole`,
          schema: z.string(),
          example: `${line}\n${JSON.stringify({ cursor: A_CURSOR, count: 1 })}\n`,
        },
        csv: {
          type: 'text/csv',
          description: 'A header line with the names of the fields, then a line for each',
          schema: z.string(),
          example: `${csvLine(Object.keys(resource.output.shape))}${csvLine(Object.values(resource.example).map(String))}`,
        },
      },
    },
    run: async (ctx, input) => {
      const { actor, now } = ctx
      requireOwn(actor, input.contractorId)
      if (input.after && !input.cursor && tokensOn())
        refuse(
          'cursor',
          'is needed with after: that of the interrupted export, or changes of before now would be missing',
        )
      const cursor = await cursorOf(actor, resource, input.cursor)
      const release = takePlace(actor)
      const file = `${name}-${now.toISOString().slice(0, 10)}.${input.format}`
      const headers = {
        'content-disposition': `attachment; filename="${file}"`,
        ...(cursor === null ? {} : { 'x-changes-cursor': cursor }),
      }
      return new Streamed(TYPES[input.format], headers, releasing(linesOf(resource, ctx, input, cursor), release))
    },
  })
}

type ExportOperations = {
  [Name in ResourceName as `export${Capitalize<Name>}`]: ReturnType<typeof exportOperation>
}

const exportName = ({ name }: Resource) => `export${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The exports of all resources: `exportInvoices`, and so on. The compiler cannot follow names through a list, hence the one cast. */
function exportOperations(): ExportOperations {
  const entries = RESOURCES.map((resource) => [exportName(resource), exportOperation(resource)])
  return Object.fromEntries(entries) as ExportOperations
}

export const recordExports = exportOperations()

/** Returns the export of a resource. */
export const exportOf = (name: ResourceName): ReturnType<typeof exportOperation> =>
  Reflect.get(recordExports, exportName(resources[name]))
