import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type messages, PGlite, protocol } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { logFault } from '@/lib/core/log'
import { Embedded } from '@/patches/pglite-array-types'
import { measured, startingStatement } from '../statements'
import { asText, type Column, rowOf } from './columns'
import type { Database, Statement, Value } from './driver'
import { acquireLock } from './lock'
import { isMigrated, migrate } from './migrated'
import { embeddedCode } from './pglite-code'

/** The number of statements that stay prepared. Each keeps some tens of KB, so those that were not used for longest are given up. */
const MOST = 200

type Message = messages.BackendMessage

const { serialize } = protocol
const EXECUTE = serialize.execute({})
const SYNC = serialize.sync()

const isError = (message: Message): message is messages.DatabaseError => message.name === 'error'
const isRow = (message: Message): message is messages.DataRowMessage => message.name === 'dataRow'
const isDescription = (message: Message): message is messages.RowDescriptionMessage => message.name === 'rowDescription'

/**
 * Returns a function that runs named statements in the embedded database. The first run of one parses and plans it, as on a connection to a
 * server; PGlite's own `query` does both each time, and in six messages instead of one.
 * @param most how many statements stay prepared
 * @throws DatabaseError what Postgres refused
 */
export function preparedStatements(
  client: PGlite,
  most = MOST,
): (statement: Statement, values: Value[]) => Promise<object[]> {
  // The columns of each statement that is prepared, the one used last at the end.
  const prepared = new Map<string, Column[]>()

  function preparing({ name, text }: Statement): Uint8Array[] {
    const [oldest] = prepared.keys()
    const isFull = oldest !== undefined && prepared.size >= most
    if (isFull) prepared.delete(oldest)
    return [
      ...(isFull ? [serialize.close({ type: 'S', name: oldest })] : []),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    ]
  }

  /** A statement may be prepared although its run failed. */
  function columnsIn(answers: Message[]): Column[] | undefined {
    if (!answers.some(({ name }) => name === 'parseComplete')) return undefined
    const described = answers.find(isDescription)?.fields ?? []
    return described.map(({ name, dataTypeID }) => {
      const parse = client.parsers[dataTypeID]
      return { name, parse: parse ? (text: string) => parse(text, dataTypeID) : (text: string) => text }
    })
  }

  async function ask(statement: Statement, values: Value[]): Promise<object[]> {
    const { name } = statement
    const known = prepared.get(name)
    const bind = serialize.bind({ statement: name, values: values.map(asText) })
    const message = Buffer.concat([...(known ? [] : preparing(statement)), bind, EXECUTE, SYNC])
    const answers = await client.execProtocolStream(message, { throwOnError: false })
    const columns = known ?? columnsIn(answers)
    prepared.delete(name)
    if (columns) prepared.set(name, columns)
    const error = answers.find(isError)
    if (error || !columns) throw error ?? new Error('the database did not answer')
    return answers.filter(isRow).map(({ fields }) => rowOf(columns, fields))
  }

  return async (statement, values) => {
    const part = startingStatement()
    part?.waits()
    await client._checkReady()
    // A transaction holds the first of these while it runs, and each of its statements the second.
    return client._runExclusiveTransaction(() =>
      client._runExclusiveQuery(() => {
        part?.goesOn()
        return ask(statement, values)
      }),
    )
  }
}

const TIDY_EVERY_MS = 6 * 3_600_000
const REST_MS = 20

/** Its own tables and Postgres's catalog; a partitioned one has no rows itself. */
const TABLES = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'pg_catalog') order by 1`

/** The Postgres code for a table that does not exist: a day of the request log is dropped at any time. */
const UNDEFINED_TABLE = '42P01'

/**
 * Removes dead rows and updates statistics, as no background process does here: table by table with rests, because nothing else is answered
 * during a statement. A table that cannot be tidied is logged and keeps none of the others from it.
 */
export async function tidy(client: Pick<PGlite, 'query' | 'exec' | 'closed'>): Promise<void> {
  const failed = (statement: string) => (fault: unknown) => {
    if (!client.closed && Object(fault).code !== UNDEFINED_TABLE) logFault({ operation: 'tidy', statement }, fault)
    return { rows: [] }
  }
  const { rows } = await client.query<{ name: string }>(TABLES).catch(failed(TABLES))
  const statements = rows.flatMap(({ name }) => [`vacuum ${name}`, `analyze ${name}`])
  for (const statement of statements) {
    if (client.closed) return
    await client.exec(statement).catch(failed(statement))
    await setTimeout(REST_MS, undefined, { ref: false })
  }
}

/** Statistics of a table from 3,000 rows instead of 30,000: 45 ms at a time instead of 350. */
const SAMPLE = 'default_statistics_target=10'

/**
 * The database's own cache of pages, which a start fills with zeros: all of it is held from then on, beside the system's cache of the same
 * files. The default is 128 MB; docs/performance/memory.md has what less of it costs.
 */
const CACHE = 'shared_buffers=40MB'

/**
 * Opens the embedded Postgres in `<directory>/pg` under the directory's lock, migrated. Acknowledged writes survive the death of
 * the process but not a power failure (its fsync does nothing).
 * @throws DirectoryLocked when another process has it open
 */
export async function openPglite(directory: string, sqlFolder: string): Promise<Database> {
  const lock = await acquireLock(directory)
  try {
    const code = await embeddedCode()
    const client = new Embedded(join(directory, 'pg'), {
      ...(code ? { pgliteWasmModule: code } : {}),
      startParams: [...PGlite.defaultStartParams, '-c', CACHE, '-c', SAMPLE, '-c', 'timezone=UTC'],
    })
    await client.waitReady
    const orm = drizzle(client)
    if (!(await isMigrated((text) => client.query(text), sqlFolder)))
      await migrate(async (text) => (await client.exec(text)).at(-1) ?? { rows: [] }, sqlFolder)
    const tidying = setInterval(() => tidy(client), TIDY_EVERY_MS)
    tidying.unref()
    const run = preparedStatements(client)
    let asked = 0
    return {
      driver: 'pglite',
      orm,
      run: <Row extends object>(statement: Statement, values: Value[]) => {
        asked++
        return measured(statement, () => run(statement, values)) as Promise<Row[]>
      },
      asked: () => asked,
      // It runs in this process: while it does not answer, no timer would run either.
      patiently: (work) => work,
      publishControl: lock.publish,
      close: async () => {
        clearInterval(tidying)
        await client.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
