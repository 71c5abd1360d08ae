import type { z } from 'zod'
import { requireRole } from '@/lib/auth/require-role'
import { requireScope } from '@/lib/auth/require-scope'
import { ServiceError } from '@/lib/core/errors'
import { type Context, JsonText, type Operation, scopesOf } from './define'

/**
 * Runs an operation outside of HTTP: access, input and output are checked as a route checks them.
 * @throws ServiceError `forbidden` without the right, `bad_request` with every faulty field, or what the operation throws
 */
export async function runOperation<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  ctx: Context,
  input: z.input<I>,
): Promise<z.output<O>> {
  const { access } = operation
  if (access === 'administrator') requireRole(ctx.actor, 'admin')
  if (access === 'developer') requireRole(ctx.actor, 'developer')
  for (const scope of scopesOf(operation)) requireScope(ctx.actor, scope)
  const parsed = operation.input.safeParse(input)
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.') || 'input', message }))
    throw new ServiceError('bad_request', fields.map(({ field, message }) => `${field}: ${message}`).join('; '), {
      fields,
    })
  }
  const result = await operation.run(ctx, parsed.data)
  return operation.output.parse(result instanceof JsonText ? JSON.parse(result.text) : result)
}
