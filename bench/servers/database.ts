import { PGlite } from '@electric-sql/pglite'
import { Pool } from 'pg'

type Query = <Row>(name: string, text: string, values: unknown[]) => Promise<Row[]>

/** Returns a driver's query function with nothing around it. */
export async function bareQuery(): Promise<Query> {
  const { DATABASE_URL, PLUMBLINE_DATA_DIR } = process.env
  if (DATABASE_URL) {
    const pool = new Pool({ connectionString: DATABASE_URL, max: 10, options: '-c timezone=UTC' })
    return async (name, text, values) => (await pool.query({ name, text, values })).rows
  }
  const client = await PGlite.create(`${PLUMBLINE_DATA_DIR}/pg`)
  return async <Row>(_: string, text: string, values: unknown[]) => (await client.query<Row>(text, values)).rows
}
