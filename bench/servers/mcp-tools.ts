import * as z from 'zod'
import { tools } from '@/lib/mcp/tools'
import { bareQuery } from './database'
import { FIRST_PAGE } from './sql'

/** The number of tools in the comparison: ours, plus copies up to fifteen. */
const COUNT = 15

/** The tools of a server built with the SDK alone: the same names, texts and schemas, each running the statement of one list. */
export const benchTools = Array.from({ length: Math.max(COUNT, tools.length) }, (_, i) => {
  const tool = tools[i % tools.length]
  if (!tool) throw new Error('there are tools')
  const { title, description, annotations, input, operation } = tool
  const name = i < tools.length ? tool.name : `${tool.name}_${i}`
  // The SDK accepts only an object at the root.
  const output = operation.output instanceof z.ZodObject ? operation.output : z.looseObject({})
  return { name, title, description, annotations, input, output }
})

/** Runs the statement that lists ten invoices, and returns a tool result. */
export async function toolAnswer() {
  const query = await bareQuery()
  return async () => {
    const [row] = await query<{ items: string }>('page', FIRST_PAGE, [process.env.BENCH_CONTRACTOR, 10])
    const text = `{"apiVersion":"v1","items":${row?.items},"nextPageToken":null}`
    return { content: [{ type: 'text' as const, text }], structuredContent: JSON.parse(text) }
  }
}
