import { PGlite, types } from '@electric-sql/pglite'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: '@electric-sql/pglite',
  version: '0.5.16',
  what: 'How a database learns which types are arrays: by a query over all types with each start, which takes 40 ms of 370, as nothing of the planner was used before. No option leaves it out.',
  upstream: 'https://github.com/electric-sql/pglite/blob/main/packages/pglite/src/base.ts',
  removeWhen: 'the numbers of built-in array types are constants of the package, as those of the other types are.',
}

/** Types with their arrays, by the numbers that every Postgres gives them (src/include/catalog/pg_type.dat): those that columns and statements use. */
export const ARRAYS: Readonly<Record<number, number>> = {
  [types.BOOL]: 1000,
  [types.BYTEA]: 1001,
  [types.CHAR]: 1002,
  19: 1003, // name
  [types.INT8]: 1016,
  [types.INT2]: 1005,
  [types.INT4]: 1007,
  [types.TEXT]: 1009,
  [types.OID]: 1028,
  [types.JSON]: 199,
  [types.FLOAT4]: 1021,
  [types.FLOAT8]: 1022,
  [types.BPCHAR]: 1014,
  [types.VARCHAR]: 1015,
  [types.DATE]: 1182,
  [types.TIMESTAMP]: 1115,
  [types.TIMESTAMPTZ]: 1185,
  [types.NUMERIC]: 1231,
  [types.UUID]: 2951,
  [types.JSONB]: 3807,
}

/** The embedded database, which knows array types without asking. */
export class Embedded extends PGlite {
  override async _initArrayTypes(): Promise<void> {
    for (const [name, array] of Object.entries(ARRAYS)) {
      const element = Number(name)
      this.parsers[array] = (text) => types.arrayParser(text, this.parsers[element] ?? String, array)
      this.serializers[array] = (value) => types.arraySerializer(value, this.serializers[element], array)
    }
  }
}
