import { createMcpHandler } from 'mcp-handler'
import { benchTools, toolAnswer } from '../../../mcp-tools'

let answer: Awaited<ReturnType<typeof toolAnswer>> | undefined

/** The mcp-handler exactly as in its guide. */
const handler = createMcpHandler((server) => {
  for (const { name, title, description, annotations, input, output } of benchTools)
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: input, outputSchema: output },
      async () => {
        answer ??= await toolAnswer()
        return answer()
      },
    )
})

export { handler as GET, handler as POST }
