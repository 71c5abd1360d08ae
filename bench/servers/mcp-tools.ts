import { z } from 'zod'
import { tools } from '@/lib/mcp/tools'
import { bareQuery } from './database'
import { FIRST_PAGE } from './sql'

/** As many tools as the comparison names; ours, and copies of them until there are fifteen. */
const COUNT = 15

/** What a server made with the SDK alone offers: the same names, texts and schemas, and the statement of one list behind each. */
export const benchTools = Array.from({ length: Math.max(COUNT, tools.length) }, (_, i) => {
  const tool = tools[i % tools.length]
  if (!tool) throw new Error('there are tools')
  const { title, description, annotations, input, operation } = tool
  const name = i < tools.length ? tool.name : `${tool.name}_${i}`
  // The SDK takes an object at the root only.
  const output = operation.output instanceof z.ZodObject ? operation.output : z.looseObject({})
  return { name, title, description, annotations, input, output }
})

/** Runs the statement of a list of invoices, ten of them, and answers as a tool does. */
export async function toolAnswer() {
  const query = await bareQuery()
  return async () => {
    const [row] = await query<{ items: string }>('page', FIRST_PAGE, [process.env.BENCH_CONTRACTOR, 10])
    const text = `{"apiVersion":"v1","items":${row?.items},"nextPageToken":null}`
    return { content: [{ type: 'text' as const, text }], structuredContent: JSON.parse(text) }
  }
}
