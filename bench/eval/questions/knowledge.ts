import { sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Question } from '../question'
import { figures, list, subject } from './truths'

/** The newest price of each supplier in the 180 days before today: `expected` is the median of these. */
const newest = (books: Books) => sql`(select distinct on (supplier) supplier, unit_cost from material_prices
  where contractor_id = ${books.contractorId} and item_key = 'shingle-architectural' and observed_on > ${books.today}::date - 180
  order by supplier, observed_on desc)`

/**
 * The bundles of shingles: three a square, ten percent of waste, whole bundles. Half the width rises six inches a foot on a roof of two
 * sides.
 */
const BUNDLES = sql`ceil(40 * 30 * sqrt(1 + power(6 / 12.0, 2)) / 100 * 1.1 * 3)`
const TOWN = 'us-zz-demonstration'
const waits = (
  type: string,
) => sql`(select percentile_cont(0.5) within group (order by issued_date - applied_date) as p50, count(*) as n from permits
  where jurisdiction_id = ${TOWN} and lower(permit_type_mapped) = ${type} and issued_date >= applied_date and applied_date is not null)`

/** Quantities and prices of materials. */
export const materials: readonly Question[] = [
  {
    id: 'shingles-needed',
    topic: 'materials',
    put: async (books) => ({
      text: 'How many bundles of architectural shingles do I have to order for roofing 40 x 30 ft with a rise of 6?',
      truth: await figures(books, sql`select ${BUNDLES}::float8 as "shingle bundles to order"`),
    }),
  },
  {
    id: 'shingle-price',
    topic: 'materials',
    put: async (books) => ({
      text: 'What unit cost should I expect for architectural shingles?',
      truth: await figures(
        books,
        sql`select percentile_cont(0.5) within group (order by unit_cost::float8) as "expected unit cost" from ${newest(books)} s`,
      ),
    }),
  },
  {
    id: 'price-roof',
    topic: 'materials',
    put: async (books) => ({
      text: 'Price the materials for roofing 40 x 30 ft with a rise of 6. What do the architectural shingles cost in total?',
      truth: await figures(
        books,
        sql`select round((${BUNDLES} * percentile_cont(0.5) within group (order by unit_cost::float8))::numeric, 2)::float8 as "shingles total" from ${newest(books)} s`,
      ),
    }),
  },
]

/** Permits, and how long they take. */
export const permits: readonly Question[] = [
  {
    id: 'roof-permit-days',
    topic: 'permits',
    put: async (books) => ({
      text: `How many days does a Roof permit usually take in ${TOWN}, at the median (p50)?`,
      truth: await figures(books, sql`select p50::float8 as "p50 days" from ${waits('roof')} w`),
    }),
  },
  {
    id: 'permits-on-file',
    topic: 'permits',
    put: async (books) => ({
      text: `How many permits of ${TOWN} are loaded?`,
      truth: await figures(books, sql`select count(*)::int as permits from permits where jurisdiction_id = ${TOWN}`),
    }),
  },
  {
    id: 'pool-permits',
    topic: 'permits',
    put: async (books) => ({
      text: `Which Pool/Spa permits were applied for in ${TOWN} since January 1, 2025?`,
      truth: await list(
        books,
        sql`select array[permit_num, id] as names from permits where jurisdiction_id = ${TOWN} and permit_type_mapped = 'Pool/Spa' and applied_date >= '2025-01-01'`,
      ),
    }),
  },
  {
    id: 'not-enough-permits',
    topic: 'permits',
    put: async (books) => {
      const { said = '' } = await subject(
        books,
        sql`select case when count(*) < 30 then 'not_enough_data' else 'estimated' end as said from permits
          where jurisdiction_id = 'us-tn-nashville' and issued_date is not null and applied_date is not null`,
      )
      return {
        text: 'How long does a permit take from application to issue in us-tn-nashville?',
        truth: { kind: 'text', said: [said] },
      }
    },
  },
  {
    id: 'addition-permit',
    topic: 'permits',
    // The rules are files with their sources, not rows; their own cases name the rule that decides (an addition always needs one).
    put: async () => ({
      text: 'Do I need a permit for an addition in us-tn-nashville?',
      truth: { kind: 'text', said: ['likely_required', 'nashville.addition.any'] },
    }),
  },
]
