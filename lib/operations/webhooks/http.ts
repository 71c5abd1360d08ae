import type * as z from 'zod'
import type { PostBinding } from '../define'

/** Returns the binding of a POST operation on webhooks: JSON in, JSON out, 200. An address has one method, so each has its own. */
export const posted = (
  path: `/${string}`,
  schema: z.ZodType,
  example: unknown,
  bodyExample: Record<string, unknown>,
): PostBinding & { at: 'data' } => ({
  method: 'POST',
  path,
  at: 'data',
  body: 'json',
  types: ['application/json'],
  maxBytes: 16_384,
  bodyExample,
  answers: { 200: { description: 'Success', schema, example } },
  statusOf: () => 200,
})
