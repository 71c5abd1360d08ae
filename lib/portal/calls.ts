import type { Connection, ToolResult } from './connection'
import type { Exchange, Recorder } from './exchange'
import { type Explanation, explain } from './explain'
import type { JsonObject } from './json'

/** One call of a tool and what became of it. `exchange` is absent where no answer came. */
export type Call = {
  id: number
  tool: string
  args: JsonObject
  at: Date
  exchange: Exchange | undefined
  outcome: { result: ToolResult } | { fault: Explanation }
}

/** What a tab remembers; the oldest go first. */
const REMEMBERED = 50

/** Calls a tool; whatever goes wrong is part of what is given back, never thrown. */
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

/** The calls of a tab with a new one, newest first. */
export const remember = (calls: Call[], call: Call): Call[] => [call, ...calls].slice(0, REMEMBERED)

/** In a word, how a call ended. */
export function outcomeWord({ outcome }: Call): 'answered' | 'tool error' | 'failed' {
  if ('fault' in outcome) return 'failed'
  return outcome.result.isError ? 'tool error' : 'answered'
}

/** A call in one sentence, for those who hear the page. */
export function spoken(call: Call): string {
  const ms = call.exchange ? ` in ${Math.round(call.exchange.ms)} milliseconds` : ''
  if ('fault' in call.outcome) return `${call.tool} failed. ${call.outcome.fault.what}`
  return call.outcome.result.isError ? `${call.tool} answered with an error${ms}.` : `${call.tool} answered${ms}.`
}
