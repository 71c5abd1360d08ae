import 'server-only'
import { notFound } from 'next/navigation'
import type * as z from 'zod'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { cleanAnswer } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import type { Operation } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'

/** Reads the record of a page, its texts cleaned; of one that was deleted, only when that was. Answers 404 for an unknown id. */
export async function readRecord<O extends z.ZodObject>(
  operation: Operation<z.ZodObject<{ id: z.ZodString }>, O>,
  given: string,
) {
  const { actor } = await requireActor(operation)
  const at = await desk()
  const id = decodeURIComponent(given)
  try {
    const found = await execute(operation, { actor, now: at.now }, { id })
    return { id, at, actor, found: cleanAnswer(found) }
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code)) return notFound()
    if (error instanceof ServiceError && error.code === 'gone')
      return { id, at, actor, deletedAt: new Date(error.deletedAt ?? 0) }
    throw error
  }
}
