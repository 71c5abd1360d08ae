import { z } from 'zod'
import type { Resource } from '@/lib/resources/define'
import type { ToolBinding } from './define'
import { INCREMENTAL } from './list-input'

const TOOL_LIMIT = { error: 'must be a whole number from 1 to 25' }

/** The arguments of a list as a tool: short pages, and no contractor, because the key belongs to one. */
const toolInput = (filters: Record<string, z.ZodType>) =>
  z
    .object({
      limit: z.int(TOOL_LIMIT).min(1, TOOL_LIMIT).max(25, TOOL_LIMIT).default(10).describe('Items per page'),
      ...INCREMENTAL,
      ...filters,
    })
    .strict()

/** Returns a resource's list as a tool. */
export const listTool = ({ tool }: Resource, filters: Record<string, z.ZodType>): ToolBinding => ({
  ...tool,
  example: { limit: 5 },
  input: toolInput(filters),
})
