import { z } from 'zod'
import { isId } from '@/lib/core/ids'
import { parseInstant } from '@/lib/core/time'

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

/** Parameters for delta sync: a start time and page tokens. */
export const INCREMENTAL = {
  updatedAfter: z
    .string()
    .transform((text, ctx) => {
      const moment = parseInstant(text)
      if (moment) return moment.toISOString()
      ctx.addIssue({
        code: 'custom',
        message: 'must be an ISO 8601 moment with an offset, such as 2026-11-20T08:30:00Z',
      })
      return z.NEVER
    })
    .optional()
    .describe('Only items updated after this ISO 8601 moment, exclusive; an offset or Z is needed'),
  pageToken: z.string().min(1).max(2000).optional().describe('nextPageToken of the page before, unchanged'),
}
