import { z } from 'zod'
import { isId } from '@/lib/core/ids'
import { parseDay, parseInstant } from '@/lib/core/time'
import { kindOf, type Resource } from '@/lib/resources/define'
import { MOMENT_FORM } from '@/lib/resources/fields'
import { RESOURCES } from '@/lib/resources/registry'
import { sortNames } from './filters'

const LIMIT = { error: 'must be a whole number from 1 to 100' }

/** Parameters of every list. */
export const COMMON = {
  contractorId: z
    .string()
    .refine((id) => isId('contractor', id), 'must be a contractor id, `con_` and 26 characters')
    .optional()
    .describe('The contractor whose data is meant. It must be that of the key; recommended as a safeguard'),
  limit: z.int(LIMIT).min(1, LIMIT).max(100, LIMIT).default(50).describe('Items per page'),
}

/** Whether the number of records is told. */
export const COUNT = {
  count: z
    .unknown()
    .transform((given, ctx) => {
      if (given === true || given === 'true') return true
      if (given === false || given === 'false') return false
      ctx.addIssue({ code: 'custom', message: 'must be true or false' })
      return z.NEVER
    })
    .meta({ type: 'boolean' })
    .optional()
    .describe('true: also how many records the list finds, over all pages'),
}

/** Parameters for delta sync: a start time and page tokens. */
export const INCREMENTAL = {
  updatedAfter: z
    .string()
    .transform((text, ctx) => {
      const moment = parseDay(text) ?? parseInstant(text)
      if (moment) return moment.toISOString()
      ctx.addIssue({ code: 'custom', message: MOMENT_FORM })
      return z.NEVER
    })
    .optional()
    .describe(
      'Only items updated after this ISO 8601 moment, exclusive; with an offset or Z. A day is its midnight UTC',
    ),
  pageToken: z.string().min(1).max(2000).optional().describe('nextPageToken of the page before, unchanged'),
}

/** Parameters that narrow and order the list of a resource: its filters, and `sort` where it has orders of its own. */
export function narrowing(resource: Resource): Record<string, z.ZodType> {
  const filters = Object.entries(resource.filters).map(([name, { schema }]) => [name, schema.optional()] as const)
  const [first, ...others] = sortNames(resource)
  if (first === undefined) return Object.fromEntries(filters)
  const sort = z
    .enum([first, ...others])
    .optional()
    .describe('- for the greatest or latest first')
  return { ...Object.fromEntries(filters), sort }
}

const MOMENT = { type: 'string', maxLength: 40, anyOf: [{ format: 'date-time' }, { format: 'date' }] }
const FORMS = { instant: MOMENT, text: { type: 'string', format: 'date', maxLength: 10 }, number: undefined } as const

/**
 * What the texts of parameters look like, as JSON Schema, by name: for documents. The schemas above check them, and tools, whose list
 * must stay short, do without.
 */
export const PARAMETER_FORMS: Record<string, Record<string, unknown>> = {
  contractorId: { type: 'string', pattern: '^con_[0-9a-z]{26}$', minLength: 30, maxLength: 30 },
  updatedAfter: MOMENT,
  customerId: { maxLength: 80 },
  projectId: { maxLength: 80 },
  ...Object.fromEntries(
    RESOURCES.flatMap(({ filters }) =>
      Object.entries(filters).flatMap(([name, { column, operator }]) => {
        const form = operator === '=' || operator === 'in' ? undefined : FORMS[kindOf(column)]
        return form ? [[name, form]] : []
      }),
    ),
  ),
}
