import type { Connection, ToolResult } from './connection'
import type { Exchange, Recorder } from './exchange'
import { type Explanation, explain } from './explain'
import type { JsonObject } from './json'

/** A tool call and its outcome. `exchange` is missing when there was no response. */
export type Call = {
  id: number
  tool: string
  args: JsonObject
  at: Date
  exchange: Exchange | undefined
  outcome: { result: ToolResult } | { fault: Explanation }
}

/** The number of calls a tab remembers. */
const REMEMBERED = 50

/** Calls a tool. Errors are part of the result and are never thrown. */
export async function callTool(
  { connection, recorder }: { connection: Connection; recorder: Recorder },
  id: number,
  tool: string,
  args: JsonObject,
): Promise<Call> {
  const at = new Date()
  recorder.clear()
  const outcome = await connection.call(tool, args).then(
    (result) => ({ result }),
    (error: unknown) => ({ fault: explain(recorder.last('tools/call') ?? recorder.last(), error) }),
  )
  return { id, tool, args, at, exchange: recorder.last('tools/call'), outcome }
}

/** Adds a call to those of a tab, newest first. */
export const remember = (calls: Call[], call: Call): Call[] => [call, ...calls].slice(0, REMEMBERED)

/** Returns the outcome of a call in one or two words. */
export function outcomeWord({ outcome }: Call): 'answered' | 'tool error' | 'failed' {
  if ('fault' in outcome) return 'failed'
  return outcome.result.isError ? 'tool error' : 'answered'
}

/** Describes a call in one sentence for screen readers. */
export function spoken(call: Call): string {
  const ms = call.exchange ? ` in ${Math.round(call.exchange.ms)} milliseconds` : ''
  if ('fault' in call.outcome) return `${call.tool} failed. ${call.outcome.fault.what}`
  return call.outcome.result.isError ? `${call.tool} answered with an error${ms}.` : `${call.tool} answered${ms}.`
}
