import { readTail, TAIL_PATH, type Tail } from './log-rows'

/** The reason the live view got no rows; `isOver` when a retry would not help. */
export type TailFault = { fault: string; isOver: boolean }

const LOST: TailFault = { fault: 'The portal cannot be reached. Retrying every few seconds.', isOver: false }

function reasonOf(body: unknown): string | undefined {
  const { error } = body instanceof Object ? { error: undefined, ...body } : { error: undefined }
  return typeof error === 'string' ? error : undefined
}

/** Requests the rows after a cursor; `query` has the contractor and filters of the page. Never throws. */
export async function fetchTail(query: string, after: string): Promise<Tail | TailFault> {
  const search = new URLSearchParams(query)
  search.set('after', after)
  try {
    const answer = await fetch(`${TAIL_PATH}?${search}`, { headers: { accept: 'application/json' } })
    const body: unknown = await answer.json()
    const tail = answer.ok ? readTail(body) : undefined
    if (tail) return tail
    // Retrying does not help when the person signed out, got another role, or has invalid filters.
    const isOver = answer.status >= 400 && answer.status < 429
    return isOver ? { fault: reasonOf(body) ?? LOST.fault, isOver } : LOST
  } catch {
    return LOST
  }
}
