import * as z from 'zod'
import { isId } from '@/lib/core/ids'
import { parseDay } from '@/lib/core/time'
import { type FilterDefinition, kindOf, type Resource } from '@/lib/resources/define'
import { MOMENT_FORM, parameterMoment } from '@/lib/resources/fields'
import { RESOURCES } from '@/lib/resources/registry'
import { sortNames } from './filters'

/** Returns the schema of items per page, `usual` unless asked otherwise. */
export function pageLimit(most: number, usual: number) {
  const form = { error: `must be a whole number from 1 to ${most}` }
  return z.int(form).min(1, form).max(most, form).default(usual).describe('Items per page')
}

/** Parameters of every list. */
export const COMMON = {
  contractorId: z
    .string()
    .refine((id) => isId('contractor', id), 'must be a contractor id, `con_` and 26 characters')
    .optional()
    .describe('The contractor whose data is meant. It must be that of the key; recommended as a safeguard'),
  limit: pageLimit(100, 50),
}

/** The parameter that asks for the record count. */
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
      const moment = parseDay(text) ?? parameterMoment(text)
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

/** A resource's filters as parameters, as far as they are wanted. */
export const filterInputs = ({ filters }: Resource, isWanted: (filter: FilterDefinition) => boolean = () => true) =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, filter]) => (isWanted(filter) ? [[name, filter.schema.optional()]] : [])),
  )

/** Parameters that narrow and order the list of a resource: its filters, and `sort` where it has orders of its own. */
export function narrowing(resource: Resource): Record<string, z.ZodType> {
  const filters = filterInputs(resource)
  const [first, ...others] = sortNames(resource)
  if (first === undefined) return filters
  const sort = z
    .enum([first, ...others])
    .optional()
    .describe('- for the greatest or latest first')
  return { ...filters, sort }
}

const DAY = { type: 'string', format: 'date', maxLength: 10 }
const MOMENT = { anyOf: [{ type: 'string', format: 'date-time', maxLength: 40 }, DAY] }
const FORMS = { instant: MOMENT, text: DAY, number: undefined } as const

/**
 * The forms of the texts of parameters, as JSON Schema, by name: for documents. The schemas above check them, and tools, whose list must
 * stay short, do without.
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

const LENGTH = { error: 'must have 1 to 100 characters' }

/** The argument by which a list is asked for what people call its records. */
export const NAMED_INPUT = {
  query: z
    .string()
    .trim()
    .min(1, LENGTH)
    .max(100, LENGTH)
    .optional()
    .describe(
      'Only with these words in the name or street of the project or customer, or this number: kitchen, Wagner, 23-0011-1',
    ),
}
