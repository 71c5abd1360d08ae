import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { Filter, ListColumn, ListSource } from '@/db/queries/list-types'
import { type ResourceName, type ResourceScope, scopeOf } from '@/lib/core/resource-names'
import type { CsvFile } from './csv'

/** A filter a list takes: the column, how it compares, what may be given, and the SQL value made of it. */
export type FilterDefinition = {
  column: PgColumn
  operator: Filter['operator']
  schema: z.ZodType<string>
  /** A constant SQL condition that must hold too. */
  and?: string
  /** True when the portal's form, with room for the most used ones, leaves it out. */
  beyondForm?: true
}

/** A field that only agents are shown, with the SQL that gives it: the specification fixes what the data API shows. */
export type AgentField = { schema: z.ZodType; sql: string; kind: ListColumn['kind']; example: string | number }

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
  /** The name of one of the other resource. */
  to: string
  /** The column with the other one's id; it need not be public. */
  column: PgColumn
  /** The other one is shown with the newest of these. */
  listed?: true
  /** Says when it is absent, where that needs explaining. */
  description?: string
}

/** The tool that offers the list to agents. */
export type ListTool = {
  category: 'customers' | 'projects' | 'finance'
  description: string
  /** Fields that strangers write; they leave marked. */
  untrusted?: string[]
  /** The fields that agents are shown of each record beyond its public ones. */
  told?: Record<string, AgentField>
  /** The SQL of the sums over all records that a list finds, by name; `currency` tells sums apart. Absent without amounts. */
  sums?: { currency: string } & Record<string, string>
}

export type ResourceDefinition<Output extends z.ZodObject, Singular extends string> = {
  /** The plural noun; also the path, the tag, the metadata entry, the name in page tokens and in the scope. */
  name: ResourceName
  /** The name of one of them in sentences. */
  singular: Singular
  /** The beginning of an id, before its first `_`. */
  idPrefix: string
  /** The text of what its scope allows, as shown to the person who creates a key. */
  scopeText: string
  table: PgTable
  output: Output
  /** The public fields and their columns: a column is public only because it is named here. */
  columns: { [Field in keyof z.output<Output>]-?: PgColumn }
  filters: Record<string, FilterDefinition>
  /** The columns that a list can be sorted by, beside its usual order, by name. */
  sorts: Record<string, PgColumn>
  /** The values stored beyond the public fields, by name. */
  details: Record<string, Detail>
  /** The resources it belongs to, in the order in which answers name them. */
  links: Link[]
  /** The column that tells the newest, where several are shown with what they belong to. */
  dated: PgColumn
  tool: ListTool
  csv: CsvFile
  /** Leads make records of it too. */
  madeByLeads?: true
  /** True when the specification lets a list of it take pages without page tokens. */
  pagesWithoutTokens: boolean
  only?: string
  /** The column with the time of the next change of a status that depends on time. */
  turnsAt?: PgColumn
  example: z.output<Output>
}

export type Resource<Output extends z.ZodObject = z.ZodObject, Singular extends string = string> = ResourceDefinition<
  Output,
  Singular
> & { scope: ResourceScope; source: ListSource }

/** Returns what a column holds, as far as its text in an answer depends on it. */
export function kindOf(column: PgColumn): Exclude<ListColumn['kind'], 'json'> {
  if (column.getSQLType().startsWith('timestamp')) return 'instant'
  return column.getSQLType().startsWith('numeric') ? 'number' : 'text'
}

/** The statuses that a resource's records may have; none where it has no such field. */
export function statusesOf({ output }: Pick<Resource, 'output'>): string[] {
  const { status } = output.shape
  return status instanceof z.ZodEnum ? status.options.map(String) : []
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
