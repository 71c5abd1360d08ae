import type { PersonActor } from '@/lib/auth/actor'
import { isOurs, ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { inspectDraft } from '@/lib/operations/loads/draft'
import type { HeldDraft } from './draft.client'

/** The files of a draft that a link leads to, such as those of a source that have questions; or why they are not there. */
export async function findBegun(
  actor: PersonActor,
  draft: string | string[] | undefined,
): Promise<{ begun?: HeldDraft; gone?: string }> {
  if (typeof draft !== 'string' || draft === '') return {}
  try {
    const { files } = await execute(inspectDraft, { actor, now: new Date() }, { draft })
    return files.length > 0 ? { begun: { draft, held: files } } : { gone: 'These files were loaded or removed.' }
  } catch (error) {
    if (error instanceof ServiceError && !isOurs(error)) return { gone: error.message }
    throw error
  }
}
