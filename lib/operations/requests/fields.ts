import * as z from 'zod'
import type { LogPlace } from '@/db/queries/request-pages'
import { parseInstant } from '@/lib/core/time'

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'

export const RequestId = z
  .string()
  .regex(new RegExp(`^req_${UUID}$`), 'must be a request id, `req_` and a UUID, as X-Request-Id has it')

/** A moment with its offset, as ISO in UTC to the millisecond. */
export const Moment = z.string().transform((text, ctx) => {
  const moment = parseInstant(text)
  if (moment) return moment.toISOString()
  ctx.addIssue({ code: 'custom', message: 'must be an ISO 8601 moment with an offset, such as 2026-11-20T08:30:00Z' })
  return z.NEVER
})

const CURSOR = new RegExp(`^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)_(${UUID})$`)

/** A place in the log as text: the moment and the UUID of the request that stands there. */
export const cursorOf = ({ at, id }: LogPlace): string => `${at}_${id}`

/** The cursor from which on everything is later than a moment. */
export const cursorAt = (moment: Date): string =>
  cursorOf({ at: moment.toISOString(), id: '00000000-0000-0000-0000-000000000000' })

/** The place a cursor stands for; anything but one of ours is refused. */
export const Cursor = z
  .string()
  .max(80)
  .transform((text, ctx): LogPlace => {
    const [, at = '', id = ''] = CURSOR.exec(text) ?? []
    if (parseInstant(at)) return { at, id }
    ctx.addIssue({ code: 'custom', message: 'is no cursor of this log; send the one that was answered, unchanged' })
    return z.NEVER
  })

/** The filters of the log; key, endpoint and status have indexes, the rest is looked for in what they leave. */
export const FILTERS = {
  method: z.string().max(10).optional(),
  status: z.int().min(100).max(599).optional(),
  statusClass: z.int().min(1).max(5).optional().describe('The first digit of the status: 4 for 400 to 499'),
  failed: z
    .boolean()
    .optional()
    .describe('Only requests that failed: statuses from 400 up, and errors of tools, which MCP answers with 200'),
  limited: z.boolean().optional().describe('Only requests refused for being too many, those of tools included'),
  endpoint: z.string().max(60).optional().describe('The operation, or the method of MCP: list_invoices, tools/list'),
  keyId: z.string().max(50).optional(),
  address: z.string().max(64).optional(),
  path: z.string().max(300).optional().describe('What the path begins with'),
  from: Moment.optional().describe('Ended at this moment or later'),
  to: Moment.optional().describe('Ended before this moment'),
}

export const Logged = z.object({
  id: z.string().describe('As X-Request-Id had it'),
  at: z.iso.datetime({ precision: 3 }).describe('When it ended'),
  method: z.string(),
  path: z.string(),
  query: z.string().nullable().describe('The parameters that hold no secret, as they were asked'),
  endpoint: z.string().describe('The operation, by whichever face; of MCP its own methods too'),
  mcpMethod: z
    .string()
    .nullable()
    .describe('Null for what was no message of MCP; a tool is the endpoint of tools/call'),
  status: z.int(),
  errorCode: z.string().nullable().describe('Also of an error that MCP tells under a 200'),
  errorMessage: z.string().nullable().describe('What the caller was told, without values they sent'),
  errorFields: z.array(z.string()).nullable().describe('The fields that were at fault, by name'),
  keyId: z.string().nullable(),
  address: z.string(),
  durationMs: z.number(),
  userAgent: z.string().nullable(),
  timing: z
    .object({
      waitedMs: z.int().describe('Waiting for connections to the database'),
      oursMs: z.int().describe('In the service itself'),
      parts: z
        .array(z.object({ name: z.string(), ms: z.int(), times: z.int() }))
        .describe('Statements, and what else was waited for, the longest first'),
    })
    .nullable()
    .describe('Where the time of a slow request went; null for one that took less than a second'),
})

export const EXAMPLE: z.output<typeof Logged> = {
  id: 'req_019aa1b0-7f1e-7b59-9d3e-0a8d5b1f7c2a',
  at: '2026-11-20T08:30:00.000Z',
  method: 'GET',
  path: '/api/v1/invoices',
  query: 'status=overdue&limit=50',
  endpoint: 'list_invoices',
  mcpMethod: null,
  status: 200,
  errorCode: null,
  errorMessage: null,
  errorFields: null,
  keyId: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
  address: '203.0.113.9',
  durationMs: 3.2,
  userAgent: 'accounting-sync/2.1',
  timing: null,
}

/** Requests, what of them failed, and what of those was refused for being too many. */
export const COUNTS = {
  requests: z.int(),
  errors: z.int().describe('Statuses from 400 on, and what MCP tells as an error under a 200'),
  limited: z.int().describe('Refused because they were too many; errors too'),
}
