import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Filter, ListColumn, ListSource } from '@/db/queries/list'
import type { Scope } from '@/lib/auth/scopes'

/** A filter a list takes: the column, how it compares, what may be given, and the SQL value made of it. */
export type FilterDefinition = {
  column: PgColumn
  operator: Filter['operator']
  schema: z.ZodType<string>
}

export type ResourceDefinition<Output extends z.ZodObject> = {
  /** Plural noun; the path, the metadata entry and the name in page tokens. */
  name: string
  /** What one of them is called in sentences. */
  singular: string
  scope: Scope
  table: PgTable
  output: Output
  /** The public fields and their columns: a column is public only because it is named here. */
  columns: { [Field in keyof z.output<Output>]-?: PgColumn }
  filters: Record<string, FilterDefinition>
  /** What the specification lets a list of it take without page tokens. */
  pagesWithoutTokens: boolean
  only?: string
  turning?: { column: PgColumn; turn: NonNullable<ListSource['turning']>['turn'] }
  example: z.output<Output>
}

export type Resource<Output extends z.ZodObject = z.ZodObject> = ResourceDefinition<Output> & { source: ListSource }

function kindOf(column: PgColumn): ListColumn['kind'] {
  if (column.getSQLType().startsWith('timestamp')) return 'instant'
  return column.getSQLType().startsWith('numeric') ? 'number' : 'text'
}

/** Checks a resource's definition and derives from it what the database needs to serve it. */
export function defineResource<Output extends z.ZodObject>(definition: ResourceDefinition<Output>): Resource<Output> {
  const columns = Object.entries<PgColumn>(definition.columns)
  const { turning, only } = definition
  return {
    ...definition,
    source: {
      table: getTableName(definition.table),
      columns: columns.map(([field, column]) => ({ field, column: column.name, kind: kindOf(column) })),
      sparse: columns.some(([, column]) => !column.notNull),
      ...(only === undefined ? {} : { only }),
      ...(turning ? { turning: { column: turning.column.name, turn: turning.turn } } : {}),
    },
  }
}
