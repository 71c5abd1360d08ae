import * as z from 'zod'

/**
 * The target that a client may ask to complete (MCP 2025-11-25, `completion/complete`): an argument of a prompt, or a variable of a
 * template.
 */
export const CompletionParams = z.looseObject({
  ref: z.union(
    [
      z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
      z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
    ],
    { error: 'must be {type: "ref/prompt", name} or {type: "ref/resource", uri}' },
  ),
  argument: z.looseObject({ name: z.string(), value: z.string().max(200) }, { error: 'must be {name, value}' }),
})
