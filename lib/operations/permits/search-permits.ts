import * as z from 'zod'
import { type Database, database } from '@/db/client'
import type { Jurisdiction } from '@/db/queries/permits/jurisdictions'
import { type FoundPermit, findPermits, type PermitQuery } from '@/db/queries/permits/search'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { matchContractors } from '@/lib/knowledge/permits/contractors'
import { boxAround, METERS_PER_MILE, metersBetween, type Place } from '@/lib/knowledge/permits/geo'
import { type Located, locate } from '@/lib/knowledge/permits/locate'
import { streetKey } from '@/lib/knowledge/permits/street'
import { meantTypes, noSuchType } from '@/lib/knowledge/permits/types'
import { type Context, defineOperation } from '../define'
import { issuePageToken, readPageToken, requireTokens, type TokenBinding } from '../list-page'
import { Day } from '../reports/fields'
import { coverageLine, loadedJurisdictions } from './coverage'
import { AMOUNT, CoverageLine } from './fields'
import { type PermitSearch, radiusMeters, SearchInput } from './search-input'

/** An example answer of search_permits. */
const FOUND_PERMITS = {
  permits: [
    {
      permitNum: 'B-2026-0412',
      jurisdiction: 'us-xx-example',
      permitType: 'Roof',
      permitClass: 'Residential',
      workClass: 'Existing',
      status: 'Issued',
      appliedDate: '2026-10-12',
      issuedDate: '2026-10-20',
      completedDate: null,
      address: '12 MAIN ST',
      city: 'EXAMPLE CITY',
      zip: '00000',
      estProjectCost: 14500,
      contractor: 'EXAMPLE ROOFING LLC',
      description: 'Replace shingles',
      distance: 0.042,
      link: null,
    },
  ],
  truncated: false,
  nextPageToken: null,
  near: {
    latitude: 36.1,
    longitude: -86.8,
    radiusMeters: 804.7,
    located: { by: 'address' as const, address: '10 MAIN ST, EXAMPLE CITY, 00000 (us-xx-example)' },
  },
  unit: 'mi' as const,
  permitTypes: null,
  contractors: null,
  coverage: [
    {
      jurisdiction: 'us-xx-example',
      jurisdictionName: 'Example City',
      permits: 1200,
      firstApplied: '2024-01-02',
      lastApplied: '2026-10-30',
      withIssued: 1100,
      loadedAt: '2026-11-20T08:30:00.000Z',
    },
  ],
  note: 'Only the loaded permits were searched; a permit that is not here may still exist. The jurisdiction has the record that counts.',
}

/** Returns the binding of a search's page token: every argument except the page length. */
function bindingOf({ actor }: Context, asked: PermitSearch): TokenBinding {
  const { limit: _, pageToken: __, ...filters } = asked
  return {
    resource: 'permits',
    contractorId: actor.contractorId,
    keyId: actor.kind === 'key' ? actor.keyId : actor.kind,
    filters: { asked: JSON.stringify(Object.entries(filters).sort()) },
  }
}

/** Returns the permit after which the page begins. @throws ServiceError `bad_request` when the token belongs to another search */
function startOf(ctx: Context, asked: PermitSearch): { at: string; id: string } | undefined {
  if (asked.pageToken === undefined) return undefined
  return readPageToken(requireTokens(), asked.pageToken, bindingOf(ctx, asked), ctx.now)
}

/** Returns the token for the page after a permit; null when the server signs none. */
function tokenAfter(ctx: Context, asked: PermitSearch, { away, datedOn, id }: FoundPermit): string | null {
  const [secret] = env().tokenSecrets
  if (secret === undefined) return null
  const at = away === null ? datedOn : String(away)
  return issuePageToken(secret, { at, id }, bindingOf(ctx, asked), ctx.now)
}

const Text = z.string().nullable()
const MOST_DESCRIPTION = 300
const MOST_COVERAGE = 10

const FoundOutput = z.object({
  permitNum: z.string(),
  jurisdiction: z.string(),
  permitType: Text,
  permitClass: Text,
  workClass: Text,
  status: Text,
  appliedDate: Day.nullable(),
  issuedDate: Day.nullable(),
  completedDate: Day.nullable(),
  address: Text,
  city: Text,
  zip: Text,
  estProjectCost: AMOUNT.describe('Dollars, as stated on the application'),
  contractor: Text,
  description: Text.describe(`Up to ${MOST_DESCRIPTION} characters of it`),
  distance: z.number().nullable().describe('From the point asked about, in unit; null where none was'),
  link: Text,
})

/** The place to search: given coordinates, or an address found in the loaded permits. */
type Around = { place: Place; meters: number; located: Located | null } | undefined

async function around(db: Database, asked: PermitSearch): Promise<Around> {
  const { address, latitude, longitude, jurisdiction } = asked
  const meters = radiusMeters(asked)
  if (meters === undefined) return undefined
  if (address !== undefined) {
    const located = await locate(db, address, jurisdiction)
    return { place: located, meters, located }
  }
  return { place: { latitude: latitude ?? 0, longitude: longitude ?? 0 }, meters, located: null }
}

const shortened = (text: string | null) => {
  if (text === null || text.length <= MOST_DESCRIPTION) return text
  return `${text.slice(0, MOST_DESCRIPTION - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function shown(found: FoundPermit, near: Around, unit: 'mi' | 'm'): z.output<typeof FoundOutput> {
  const { id: _, datedOn: __, away: ___, latitude, longitude, ...permit } = found
  const meters =
    near && latitude !== null && longitude !== null ? metersBetween(near.place, { latitude, longitude }) : null
  const distance = meters === null ? null : unit === 'm' ? Math.round(meters) : meters / METERS_PER_MILE
  return {
    ...permit,
    description: shortened(permit.description),
    estProjectCost: permit.estProjectCost === null ? null : Number(permit.estProjectCost),
    distance: distance === null ? null : Math.round(distance * 1000) / 1000,
  }
}

/** Turns the input into a database query; a contractor without any match finds nothing. */
const queryOf = (
  asked: PermitSearch,
  near: Around,
  contractors: string[] | undefined,
): Omit<PermitQuery, 'permitTypes'> => ({
  jurisdiction: asked.jurisdiction,
  permitClass: asked.permitClass,
  workClass: asked.workClass,
  from: asked.from,
  to: asked.to,
  text: asked.text,
  street: asked.street === undefined ? undefined : streetKey(asked.street),
  contractors,
  near: near && { ...near.place, meters: near.meters, box: boxAround(near.place, near.meters) },
  limit: asked.limit + 1,
})

/** The types that are meant by one. @throws ServiceError `bad_request` with the types there are, when none is */
async function typesOf(
  db: Database,
  covered: Jurisdiction[],
  asked: string | undefined,
): Promise<string[] | undefined> {
  if (asked === undefined || covered.length === 0) return undefined
  const meant = await meantTypes(db, covered, asked)
  if (meant.length > 0) return meant
  throw new ServiceError('bad_request', noSuchType(asked, covered))
}

/** Searches the loaded permit history by place, type, date, contractor and words. */
export const searchPermits = defineOperation({
  name: 'search_permits',
  title: 'Search permit history',
  description:
    'Finds permits in the loaded public history: near an address or point, on a street, by permit type, class or work, day of ' +
    'application, contractor and words of the description. Nearest first where a place is given, else ' +
    'newest first. It knows loaded permits only: coverage says which and until when, and no find is no proof that there was no ' +
    'permit.',
  access: 'read:permits',
  effect: 'read',
  input: SearchInput,
  output: z.object({
    permits: z.array(FoundOutput),
    truncated: z.boolean().describe('Whether more permits match than are told'),
    nextPageToken: z.string().nullable().describe('Send it as pageToken for the next page; null on the last one'),
    near: z
      .object({
        latitude: z.number(),
        longitude: z.number(),
        radiusMeters: z.number(),
        located: z
          .object({ by: z.enum(['address', 'nearest number on the street']), address: z.string() })
          .nullable()
          .describe('By which loaded permit the address was found; null where a point was given'),
      })
      .nullable(),
    unit: z.enum(['mi', 'm']),
    permitTypes: z.array(z.string()).nullable().describe('The types that permitType means, as offices write them'),
    contractors: z
      .object({
        by: z.enum(['beginning', 'likeness', 'none']).describe('How the name was understood'),
        companies: z.array(z.string()).describe('Whose permits are meant'),
        complete: z.boolean().describe('False when there are more such names than were used'),
      })
      .nullable(),
    coverage: z
      .array(CoverageLine)
      .describe(`What is loaded, and so was searched; at most ${MOST_COVERAGE} jurisdictions`),
    note: z.string(),
  }),
  example: FOUND_PERMITS,
  tool: {
    category: 'permits',
    example: { text: 'shingles', from: '2024-01-01', limit: 5 },
    untrusted: ['address', 'companies', 'contractor', 'description'],
  },
  run: async (ctx, asked) => {
    const db = await database()
    const covered = await loadedJurisdictions(db, asked.jurisdiction)
    const near = await around(db, asked)
    const match = asked.contractor ? await matchContractors(db, asked.contractor, asked.jurisdiction) : undefined
    const permitTypes = await typesOf(db, covered, asked.permitType)
    const query = { ...queryOf(asked, near, match?.keys), permitTypes, after: startOf(ctx, asked) }
    const found = await findPermits(db, query)
    const page = found.slice(0, asked.limit)
    const last = found.length > asked.limit ? page.at(-1) : undefined
    return {
      permits: page.map((permit) => shown(permit, near, asked.unit)),
      truncated: last !== undefined,
      nextPageToken: last ? tokenAfter(ctx, asked, last) : null,
      near: near
        ? {
            latitude: near.place.latitude,
            longitude: near.place.longitude,
            radiusMeters: Math.round(near.meters * 10) / 10,
            located: near.located && { by: near.located.by, address: near.located.address },
          }
        : null,
      unit: asked.unit,
      permitTypes: permitTypes ?? null,
      contractors: match ? { by: match.by, companies: match.companies, complete: match.complete } : null,
      coverage: covered.slice(0, MOST_COVERAGE).map(coverageLine),
      note:
        covered.length === 0
          ? 'No permit history is loaded on this server, so nothing can be found.'
          : 'Only the loaded permits were searched; a permit that is not here may still exist. The jurisdiction has the record that counts.',
    }
  },
})
