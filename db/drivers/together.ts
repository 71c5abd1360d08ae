import { DatabaseError, type Pool, type Submittable, types } from 'pg'
import type { Part } from '../../lib/core/parts'
import { startingStatement } from '../statements'
import { asText, type Column, rowOf } from './columns'
import type { Statement, Value } from './driver'

/** The most statements in one round trip, so that the connection's process in Postgres does not do alone what others could. */
const MOST = 8

/**
 * The spread of statements that come at once: over this many processes of Postgres, at least two statements to each, before any of them
 * gets more.
 */
const SPREAD = { over: 3, least: 2 }

/** Returns how many round trips some statements take. */
function tripsFor(statements: number): number {
  const each = Math.max(SPREAD.least, Math.ceil(statements / SPREAD.over))
  return Math.ceil(statements / Math.min(MOST, each))
}

type Asked = {
  statement: Statement
  values: Value[]
  part: Part | undefined
  resolve(rows: object[]): void
  reject(error: unknown): void
}

/** The used part of pg's connection. Its types demand a second argument that it does not have. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  parse(statement: Statement): void
  describe(of: { type: 'P'; name: string }): void
  bind(message: { statement: string; values: Value[]; valueMapper(value: Value): string | null }): void
  execute(): void
  sync(): void
}

/** Names of columns and parsers of their types by statement, for each connection that has prepared it: they cannot change while it is. */
type Prepared = WeakMap<object, Map<string, Column[]>>

/** How the statements of a pool are sent: named, or parsed each time; and who is told of errors. */
type Way = { named: boolean; note(error: unknown): void }

/** A group of statements in one message to Postgres and one transaction, which answers them in order. `pg` calls its methods by these names. */
class Group implements Submittable {
  private rows: object[] = []
  private known = new Map<string, Column[]>()

  /** @param end told once, with the error after which the connection is of no more use */
  constructor(
    private readonly way: Way,
    private readonly prepared: Prepared,
    private readonly asked: Asked[],
    private readonly end: (left: Asked[], error?: unknown) => void,
  ) {}

  /** Receives errors that are not of a statement, as required by `pg`. */
  callback = (error?: unknown) => void (error && this.handleError(error))

  submit(connection: unknown): void {
    const wire = connection as Wire
    this.known = this.prepared.get(wire) ?? this.known
    this.prepared.set(wire, this.known)
    const parsed = new Set<string>()
    wire.stream.cork()
    const { named } = this.way
    for (const { statement, values } of this.asked) {
      const { name, text } = statement
      const called = named ? name : ''
      const isNew = !named || (!this.known.has(name) && !parsed.has(name))
      if (isNew) wire.parse({ name: called, text })
      wire.bind({ statement: called, values, valueMapper: asText })
      if (isNew) wire.describe({ type: 'P', name: '' })
      parsed.add(name)
      wire.execute()
    }
    wire.sync()
    wire.stream.uncork()
  }

  private get current(): Asked | undefined {
    return this.asked[0]
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID) }))
    if (this.current) this.known.set(this.current.statement.name, columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.known.get(this.current?.statement.name ?? '')
    if (columns) this.rows.push(rowOf(columns, fields))
  }

  /** Lets go of what is answered: a group that outlived one collection would keep its answers, and they those of later groups, until a full one. */
  handleCommandComplete(): void {
    this.asked.shift()?.resolve(this.rows)
    this.rows = []
  }

  handleReadyForQuery(): void {
    this.end([])
  }

  /** Postgres skips what follows an error, so those behind it have to be asked again. A connection that broke answers nobody. */
  handleError(error: unknown): void {
    const left = [...this.asked]
    const failed = error instanceof DatabaseError ? left.splice(0, 1) : left.splice(0)
    this.way.note(error)
    for (const { reject } of failed) reject(error)
    this.end(left, error)
  }
}

/**
 * Returns a function that runs named statements which only read, few rows each. Those that come while this process reads what has
 * arrived go to Postgres together: one write, one transaction and one read of the answers instead of one for each, which were a third
 * of a list's processor time. A statement that fails takes nothing from the others.
 * @param note told of each error of a statement
 */
export function together(
  pool: Pool,
  named: boolean,
  note: (error: unknown) => void,
): (statement: Statement, values: Value[]) => Promise<object[]> {
  const way: Way = { named, note }
  const prepared: Prepared = new WeakMap()
  const waiting: Asked[] = []
  /** Connections that were asked for and have not come: never more than the round trips of what waits. */
  let coming = 0
  let isPlanned = false

  const plan = () => {
    isPlanned = false
    // A pool that has ended answers at once, inside of `connect`.
    while (coming < tripsFor(waiting.length)) {
      coming++
      pool.connect(send)
    }
  }
  const ask = (asked: Asked) => {
    waiting.push(asked)
    asked.part?.waits()
    if (isPlanned) return
    isPlanned = true
    setImmediate(plan)
  }
  const send: Parameters<Pool['connect']>[0] = (error, client, done) => {
    const asked = waiting.splice(0, Math.min(MOST, Math.ceil(waiting.length / coming)))
    coming--
    for (const { part } of asked) part?.goesOn()
    if (error || !client) for (const { reject } of asked) reject(error)
    else if (asked.length === 0) done()
    else {
      client.query(
        new Group(way, prepared, asked, (left, broken) => {
          done(broken)
          left.forEach(ask)
        }),
      )
    }
  }
  return (statement, values) =>
    new Promise((resolve, reject) => ask({ statement, values, part: startingStatement(), resolve, reject }))
}
