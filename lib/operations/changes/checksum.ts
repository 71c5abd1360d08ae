import * as z from 'zod'
import { database } from '@/db/client'
import { ServiceError } from '@/lib/core/errors'
import { identifierOf, type ResourceName } from '@/lib/core/resource-names'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { readFeed, totalsAt } from '@/lib/sync/feed'
import { defineOperation } from '../define'
import { COMMON } from '../list-input'
import { requireOwn } from '../lists'
import { cursorGone, issueCursor, readCursor } from './cursor'
import { A_CURSOR, A_TOTAL, CursorInput, Total, Totals } from './fields'

const RETRY_SECONDS = 5

/** Reads totals as Postgres wrote them. @throws ServiceError `busy` while records of before the feed are being counted */
function totalOf(text: string, { name }: Resource): z.output<typeof Total> {
  const total = Totals.parse(JSON.parse(text))[name]
  if (total) return total
  throw new ServiceError(
    'busy',
    `The ${name} of before the feed are being counted, or had not been at this cursor. Ask again in a moment, or with a newer cursor.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  )
}

/** `GET /<resource>/checksum`: how many records there are at a cursor, and their checksum. */
function checksumOperation(resource: Resource) {
  const { name } = resource
  return defineOperation({
    name: `get_${identifierOf(name)}_checksum`,
    title: `Checksum of ${name}`,
    description: `How many ${name} there are, and a checksum over their ids and \`updatedAt\`, at a cursor of /changes or now. A copy with the same two has them all.`,
    access: resource.scope,
    effect: 'read',
    limit: 'dataApi',
    input: z.object({
      contractorId: COMMON.contractorId,
      cursor: CursorInput.optional().describe('A cursor of /changes; now when left out'),
    }),
    output: z.object({
      resource: z.literal(name),
      ...Total.shape,
      cursor: z.string().describe('Where in /changes this is true'),
    }),
    example: { resource: name, ...A_TOTAL, cursor: A_CURSOR },
    http: { method: 'GET', path: `/${name}/checksum`, at: 'data' },
    run: async ({ actor }, { contractorId: asked, cursor }) => {
      requireOwn(actor, asked)
      const { contractorId } = actor
      const resources = [name]
      const db = await database()
      if (cursor === undefined) {
        const { totals, end } = await readFeed(db, { contractorId, resources, after: undefined, limit: 1 })
        return {
          resource: name,
          ...totalOf(totals, resource),
          cursor: issueCursor(contractorId, { ...end, resources }),
        }
      }
      const { totals, known } = await totalsAt(db, { contractorId, resources, after: readCursor(contractorId, cursor) })
      if (!known) throw cursorGone()
      return { resource: name, ...totalOf(totals, resource), cursor }
    },
  })
}

type ChecksumOperations = {
  [Name in ResourceName as `get${Capitalize<Name>}Checksum`]: ReturnType<typeof checksumOperation>
}

const checksumName = ({ name }: Resource) => `get${name.charAt(0).toUpperCase()}${name.slice(1)}Checksum`

/**
 * The checksums of all resources: `getInvoicesChecksum`, and so on. Made of the names that the type is made of; the compiler cannot
 * follow names through a list, hence the one cast.
 */
function checksumOperations(): ChecksumOperations {
  const entries = RESOURCES.map((resource) => [checksumName(resource), checksumOperation(resource)])
  return Object.fromEntries(entries) as ChecksumOperations
}

export const checksums = checksumOperations()

/** Returns the checksum of a resource. */
export const checksumOf = (name: ResourceName): ReturnType<typeof checksumOperation> =>
  Reflect.get(checksums, checksumName(resources[name]))
