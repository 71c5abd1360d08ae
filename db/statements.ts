import { aroundQueries } from '@/patches/drizzle-statements'
import { OVERLOADED, overloadOf } from '../lib/core/overload'
import { currentParts, Part } from '../lib/core/parts'
import { shared } from '../lib/core/shared'

/** Wraps each statement, for example in a span. Must return what `run` returns. */
export type Around = <T>(part: Part, run: () => Promise<T>) => Promise<T>

/** What wraps statements, the one that is being started, and whose queries are measured already. */
type Statements = { around?: Around; starting?: Part | undefined; measured: WeakSet<object> }
const holder = shared<Statements>('aroundStatements', () => ({ measured: new WeakSet() }))

/** A statement's verb and first table, such as `select customers`, and never a value. */
class Named {
  constructor(private readonly text: string) {}

  get name(): string {
    const verb = /^\s*(\w+)/.exec(this.text)?.[1]?.toLowerCase() ?? 'statement'
    const table = /\b(?:from|into|update|table)\s+"?([a-z_]+)"?/i.exec(this.text)?.[1]
    return table === undefined ? verb : `${verb} ${table}`
  }
}

/** Wraps every statement from now on in `around`. */
export function aroundStatements(around: Around): void {
  holder().around ??= around
}

/** Returns the statement that is being started: what asks for a connection without waiting for anything else before does it for that one. */
export const startingStatement = (): Part | undefined => holder().starting

function started<T>(part: Part, run: (part: Part) => Promise<T>): Promise<T> {
  const statements = holder()
  const before = statements.starting
  statements.starting = part
  try {
    return run(part)
  } finally {
    statements.starting = before
  }
}

/** Notes for the request, and for the page that it may be, that the database has too much to do, is full or away; throws the error again. */
export function noteOverload(error: unknown): never {
  if (error instanceof Error && overloadOf(error)) {
    Object.assign(error, { digest: OVERLOADED })
    const parts = currentParts()
    if (parts) parts.overload ??= error
  }
  throw error
}

/** Runs a statement as a part of the request that waits for it. */
export async function measured<T>(named: { readonly name: string }, run: (part: Part) => Promise<T>): Promise<T> {
  const part = new Part(named)
  const parts = currentParts()
  const { around } = holder()
  parts?.begin(part)
  try {
    return await (around ? around(part, () => started(part, run)) : started(part, run))
  } catch (error) {
    return noteOverload(error)
  } finally {
    part.goesOn()
    parts?.end(part)
  }
}

/** Has the statements of this copy of Drizzle measured, once. */
export function measureQueries(): void {
  aroundQueries(holder().measured, (text, run) => measured(new Named(text), run))
}
