import { sql } from 'drizzle-orm'
import {
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { lifeTimes, moment, money } from './columns'

/** A value, and how many permits have it, to show what can be searched. */
type ValueCount = { value: string; permits: number }

/**
 * Jurisdictions whose permits are loaded, and their sources. Counts are updated at the end of each load, so that coverage can be
 * shown without reading the permits. Shared public data: it belongs to no contractor.
 */
export const permitJurisdictions = pgTable('permit_jurisdictions', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  state: text('state').notNull(),
  sourceName: text('source_name'),
  sourceLink: text('source_link'),
  licence: text('licence'),
  note: text('note'),
  loadedAt: moment('loaded_at'),
  permits: integer('permits').notNull().default(0),
  withApplied: integer('with_applied').notNull().default(0),
  withIssued: integer('with_issued').notNull().default(0),
  withBoth: integer('with_both').notNull().default(0),
  withCoordinates: integer('with_coordinates').notNull().default(0),
  withStatus: integer('with_status').notNull().default(0),
  withCost: integer('with_cost').notNull().default(0),
  withContractor: integer('with_contractor').notNull().default(0),
  firstApplied: date('first_applied', { mode: 'string' }),
  lastApplied: date('last_applied', { mode: 'string' }),
  firstIssued: date('first_issued', { mode: 'string' }),
  lastIssued: date('last_issued', { mode: 'string' }),
  permitTypes: jsonb('permit_types').$type<ValueCount[]>().notNull().default([]),
  workClasses: jsonb('work_classes').$type<ValueCount[]>().notNull().default([]),
})

const point = customType<{ data: string }>({ dataType: () => 'point' })
const textArray = customType<{ data: string[] }>({ dataType: () => 'text[]' })
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Returns non-null values in lower case, to be queried with `@>`. */
const lowered = (...columns: string[]) =>
  sql.raw(`array_remove(array[${columns.map((column) => `lower(${column})`).join(', ')}], null)`)

/**
 * A jurisdiction's permits in the fields of the Building & Land Development Specification (BLDS), identified by permit number.
 * Shared public data. `place` is the Mercator projection in radians. It is conformal, so the nearest points on it are the nearest
 * on the ground, and Postgres's built-in GiST index finds them without an extension.
 */
export const permits = pgTable(
  'permits',
  {
    id: text('id').primaryKey(),
    jurisdictionId: text('jurisdiction_id')
      .notNull()
      .references(() => permitJurisdictions.id),
    permitNum: text('permit_num').notNull(),
    description: text('description'),
    appliedDate: date('applied_date', { mode: 'string' }),
    issuedDate: date('issued_date', { mode: 'string' }),
    completedDate: date('completed_date', { mode: 'string' }),
    statusCurrent: text('status_current'),
    statusCurrentMapped: text('status_current_mapped'),
    originalAddress1: text('original_address1'),
    originalCity: text('original_city'),
    originalState: text('original_state'),
    originalZip: text('original_zip'),
    permitClass: text('permit_class'),
    permitClassMapped: text('permit_class_mapped'),
    permitType: text('permit_type'),
    permitTypeMapped: text('permit_type_mapped'),
    permitTypeDesc: text('permit_type_desc'),
    workClass: text('work_class'),
    workClassMapped: text('work_class_mapped'),
    estProjectCost: money('est_project_cost'),
    fee: money('fee'),
    contractorCompanyName: text('contractor_company_name'),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    link: text('link'),
    streetKey: text('street_key'),
    houseNumber: integer('house_number'),
    contractorKey: text('contractor_key'),
    datedOn: date('dated_on', { mode: 'string' }).notNull().generatedAlwaysAs(sql`coalesce(applied_date, issued_date)`),
    types: textArray('types').generatedAlwaysAs(lowered('permit_type', 'permit_type_mapped', 'permit_type_desc')),
    classes: textArray('classes').generatedAlwaysAs(lowered('permit_class', 'permit_class_mapped')),
    works: textArray('works').generatedAlwaysAs(lowered('work_class', 'work_class_mapped')),
    words: tsvector('words').generatedAlwaysAs(
      sql`to_tsvector('english'::regconfig, coalesce(description, '') || ' ' || coalesce(permit_type_desc, '') || ' ' || coalesce(permit_class, '') || ' ' || coalesce(work_class, ''))`,
    ),
    place: point('place').generatedAlwaysAs(
      sql`case when abs(latitude) <= 85 then point(radians(longitude), ln(tan(pi() / 4 + radians(latitude) / 2))) end`,
    ),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('permits_number').on(t.jurisdictionId, t.permitNum),
    index('permits_by_day').on(t.datedOn, t.id),
    index('permits_of_jurisdiction_by_day').on(t.jurisdictionId, t.datedOn, t.id),
    index('permits_by_street').on(t.streetKey.op('text_pattern_ops'), t.houseNumber),
    index('permits_by_contractor').on(t.contractorKey, t.datedOn),
    index('permits_by_type').using('gin', t.types),
    index('permits_by_word').using('gin', t.words),
    index('permits_by_place').using('gist', t.place),
  ],
)

/** Contractors' names in a jurisdiction's permits, each once. Misspelled names are matched here and not in the permits. */
export const permitContractors = pgTable(
  'permit_contractors',
  {
    jurisdictionId: text('jurisdiction_id')
      .notNull()
      .references(() => permitJurisdictions.id),
    contractorKey: text('contractor_key').notNull(),
    companyName: text('company_name').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.jurisdictionId, t.contractorKey] }),
    index('permit_contractors_by_key').on(t.contractorKey.op('text_pattern_ops')),
  ],
)
