import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Filter, ListColumn, ListSource } from '@/db/queries/list'
import { type ResourceName, type ResourceScope, scopeOf } from '@/lib/core/resource-names'
import type { CsvFile } from './csv'

/** A filter a list takes: the column, how it compares, what may be given, and the SQL value made of it. */
export type FilterDefinition = {
  column: PgColumn
  operator: Filter['operator']
  schema: z.ZodType<string>
  /** A constant SQL condition that must hold too. */
  and?: string
  /** Not in the form of the portal, which has room for the most used ones. */
  beyondForm?: true
}

/** A field that only agents are shown, with the SQL that gives it: the specification fixes what the data API shows. */
export type ToldField = { schema: z.ZodType; sql: string; kind: ListColumn['kind']; example: string | number }

/**
 * A field that is shown with `include=details`. Its SQL reads the record's own row (`l`), or what is written once with it: a detail that
 * changed without the record's `updatedAt` would be missed by every sync.
 */
export type Detail = {
  schema: z.ZodType
  sql: string
  kind: ListColumn['kind']
  /** A scope without which it is left out. */
  needs?: ResourceScope
}

/** The id in the contractor's own software, which every loaded record has. */
export const SOURCE_REFERENCE: Detail = {
  schema: z.string().describe('Its id in the contractor’s own software, where it came from there'),
  sql: 'source_reference',
  kind: 'text',
}

const textDetail = (column: string): Detail => ({ schema: z.string(), sql: column, kind: 'text' })

/** The parts of an address. */
export const ADDRESS_DETAILS: Record<string, Detail> = {
  address: textDetail('address'),
  city: textDetail('city'),
  state: textDetail('state'),
  zip: textDetail('zip'),
}

/** A record that each of a resource belongs to. */
export type Link = {
  /** What one of the other resource is called. */
  to: string
  /** The column with the other one's id; it need not be public. */
  column: PgColumn
  /** The other one is shown with the newest of these. */
  listed?: true
  /** When it is absent, where that needs explaining. */
  description?: string
}

/** How agents are offered the list. */
export type ListTool = {
  category: 'customers' | 'projects' | 'finance'
  description: string
  /** Fields that strangers write; they leave marked. */
  untrusted?: string[]
  /** What agents are shown of each record beyond its public fields. */
  told?: Record<string, ToldField>
  /** SQL of the sums over all records that a list finds, by name; `currency` tells sums apart. Absent without amounts. */
  sums?: { currency: string } & Record<string, string>
}

export type ResourceDefinition<Output extends z.ZodObject, Singular extends string> = {
  /** Plural noun; the path, the tag, the metadata entry, the name in page tokens and in the scope. */
  name: ResourceName
  /** What one of them is called in sentences. */
  singular: Singular
  /** What an id begins with, before its first `_`. */
  idPrefix: string
  /** What its scope allows, as shown to the person who creates a key. */
  scopeText: string
  table: PgTable
  output: Output
  /** The public fields and their columns: a column is public only because it is named here. */
  columns: { [Field in keyof z.output<Output>]-?: PgColumn }
  filters: Record<string, FilterDefinition>
  /** What a list can be sorted by, beside its usual order, by name. */
  sorts: Record<string, PgColumn>
  /** What is stored beyond the public fields, by name. */
  details: Record<string, Detail>
  /** What it belongs to, in the order in which answers name it. */
  links: Link[]
  /** What tells the newest, where several are shown with what they belong to. */
  dated: PgColumn
  tool: ListTool
  csv: CsvFile
  /** Leads make records of it too. */
  madeByLeads?: true
  /** What the specification lets a list of it take without page tokens. */
  pagesWithoutTokens: boolean
  only?: string
  /** For a status that depends on time: the column with the time of its next change. */
  turnsAt?: PgColumn
  example: z.output<Output>
}

export type Resource<Output extends z.ZodObject = z.ZodObject, Singular extends string = string> = ResourceDefinition<
  Output,
  Singular
> & { scope: ResourceScope; source: ListSource }

/** What a column holds, as far as its text in an answer depends on it. */
export function kindOf(column: PgColumn): Exclude<ListColumn['kind'], 'json'> {
  if (column.getSQLType().startsWith('timestamp')) return 'instant'
  return column.getSQLType().startsWith('numeric') ? 'number' : 'text'
}

/** Checks a resource's definition and derives from it its scope and what the database needs to serve it. */
export function defineResource<Output extends z.ZodObject, const Singular extends string>(
  definition: ResourceDefinition<Output, Singular>,
): Resource<Output, Singular> {
  const columns = Object.entries<PgColumn>(definition.columns)
  const { turnsAt, only } = definition
  return {
    ...definition,
    scope: scopeOf(definition.name),
    source: {
      table: getTableName(definition.table),
      columns: columns.map(([field, column]) => ({
        field,
        column: column.name,
        kind: kindOf(column),
        nullable: !column.notNull,
      })),
      ...(only === undefined ? {} : { only }),
      ...(turnsAt ? { turnsAt: turnsAt.name } : {}),
    },
  }
}

/** The public field that holds the id of what a record belongs to, if there is one. */
export const fieldOfLink = ({ columns }: Resource, { column }: Link): string | undefined =>
  Object.entries<PgColumn>(columns).find(([, each]) => each === column)?.[0]
