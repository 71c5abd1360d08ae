// What is asked of each library that hands a server's tools to a model: it connects, converts the list for its provider, and calls a
// tool, again after the server was restarted. All in one process, because most of the time of each is its start.
import { type Call, GOOD, print } from './tour'

/** A call that every schema takes and that fails: some libraries check arguments themselves. */
const ABSENT: Call = { name: 'get_record', arguments: { id: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2' } }

/** A tool as a provider's API is sent it, and whether in the strict mode where the library has one. */
type Converted = { name: string; schema: unknown; strict?: boolean }
/** A library after it has connected: the tools it converted, how it calls one, and how it ends. */
export type Library = { converted: Converted[]; call(call: Call): Promise<string>; close(): Promise<unknown> }

export const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns what a tool says is wrong, which some libraries throw and others return. */
const tried = (work: Promise<string>) =>
  work.catch((error: unknown) => (error instanceof Error ? error.message : String(error)))

/** Runs all of them at once. Prints what they saw, and after a line on stdin whether each can still call. */
export async function exercise(all: Record<string, () => Promise<Library>>): Promise<never> {
  const libraries = await Promise.all(
    Object.entries(all).map(async ([name, connect]) => [name, await connect()] as const),
  )
  const before = await Promise.all(
    libraries.map(async ([name, { converted, call }]) => {
      return [name, { converted, call: await call(GOOD), fault: await tried(call(ABSENT)) }] as const
    }),
  )
  print(Object.fromEntries(before))
  // The test restarts the server and then says so.
  await new Promise((done) => process.stdin.once('data', done))
  const after = await Promise.all(
    libraries.map(async ([name, { call, close }]) => {
      const again = await tried(call(GOOD))
      await close()
      return [name, again] as const
    }),
  )
  print(Object.fromEntries(after))
  process.exit(0)
}
