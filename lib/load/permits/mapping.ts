import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { faultsOf, sentenceOf } from '@/lib/core/faults'
import { plain } from '../columns'
import { BLDS, bldsField } from './blds'
import { DATE_FORMS, isTimeZone } from './dates'

const Label = z.string().trim().min(1).max(300)

const ColumnName = z
  .string()
  .max(200)
  .refine((name) => plain(name) !== '', 'must have a letter or a digit')

const Source = z.strictObject({
  column: ColumnName,
  date: z.enum(DATE_FORMS).optional(),
  timeZone: z.string().refine(isTimeZone, 'is not a time zone such as America/Chicago').optional(),
  values: z.record(z.string(), Label.nullable()).optional(),
  otherwise: Label.nullable().optional(),
})

const Mapping = z
  .strictObject({
    jurisdiction: z.strictObject({
      name: Label,
      state: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters such as TN'),
      source: Label.optional(),
      link: z
        .url({ protocol: /^https?$/ })
        .max(1000)
        .optional(),
      licence: Label.optional(),
      note: z.string().trim().min(1).max(2000).optional(),
    }),
    fields: z.record(z.string(), z.union([ColumnName, Source])).default({}),
    constants: z.record(z.string(), Label).default({}),
  })
  .superRefine(({ fields, constants }, ctx) => {
    const refuse = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    const names = BLDS.map(({ name }) => name).join(', ')
    for (const [name, source] of Object.entries(fields)) {
      const field = bldsField(name)
      if (!field) refuse(['fields', name], `is not one of the BLDS fields stored here: ${names}`)
      else if (typeof source !== 'string') refuseParts(name, field.type, source, refuse)
    }
    for (const name of Object.keys(constants)) {
      if (bldsField(name)?.type !== 'text' || name === 'PermitNum' || name === 'Link')
        refuse(['constants', name], 'is not a BLDS text field, or cannot be the same for every permit')
      if (name in fields) refuse(['constants', name], 'is also in fields; keep one of them')
    }
  })

/** Refuses parts that do not fit a field: a date format is for date fields, values are for text fields. */
function refuseParts(
  name: string,
  type: string,
  { date, timeZone, values, otherwise }: z.output<typeof Source>,
  refuse: (path: string[], message: string) => void,
): void {
  if (date !== undefined && type !== 'date') refuse(['fields', name, 'date'], 'is only for date fields')
  if (timeZone !== undefined && date !== 'epoch_ms')
    refuse(['fields', name, 'timeZone'], 'is only for the date format epoch_ms')
  if (values !== undefined && (type !== 'text' || name === 'PermitNum'))
    refuse(['fields', name, 'values'], 'is only for text fields')
  if (otherwise !== undefined && values === undefined)
    refuse(['fields', name, 'otherwise'], 'is the value for unlisted values, so it needs values')
}

/** A mapping file: where the permits come from, and which columns of the file fill the fields of BLDS. */
export type Mapping = z.output<typeof Mapping>

/**
 * Reads a mapping file and reports all of its errors.
 * @throws ServiceError `bad_request` when it cannot be read, is not JSON, or is invalid
 */
export async function readMapping(path: string): Promise<Mapping> {
  const refuse = (why: string) => new ServiceError('bad_request', `The mapping file ${path} cannot be used: ${why}`)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refuse(`it cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refuse(`it is not valid JSON (${error instanceof Error ? error.message.slice(0, 200) : ''}).`)
  }
  const parsed = Mapping.safeParse(value, { error: sentenceOf })
  if (parsed.success) return parsed.data
  const faults = faultsOf(parsed.error, 'the file').map(({ field, message }) => `${field}: ${message}`)
  throw refuse(faults.join('; '))
}
