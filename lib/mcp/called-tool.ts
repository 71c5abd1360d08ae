import { later } from '@/lib/core/later'
import type { Message } from './gate'
import type { Tool } from './tools'

/** The method that calls a tool. */
export const CALL = 'tools/call'

/** Tools come with all operations, which a session opens without. */
const tools = later(() => import('./call-tool'))

/** The tool that a message calls; undefined where it calls none, or one that is not there. */
export async function calledTool({ method, params }: Message): Promise<Tool | undefined> {
  return method === CALL ? (await tools()).findTool(Object(params).name) : undefined
}
