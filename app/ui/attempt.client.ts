import { unstable_rethrow } from 'next/navigation'
import type { FormResult } from '@/lib/portal/form-result'

/**
 * Submits a form's change. Without a response the result says what is known: when offline, nothing was sent; otherwise the change may
 * have been made, and only reloading the page can tell.
 */
export async function attempt<T>(send: () => Promise<FormResult<T>>): Promise<FormResult<T>> {
  const isOffline = () => typeof navigator !== 'undefined' && !navigator.onLine
  if (isOffline())
    return {
      ok: false,
      error: 'You are offline, so nothing was changed. Connect, then try again.',
    }
  try {
    return await send()
  } catch (thrown) {
    unstable_rethrow(thrown)
    return {
      ok: false,
      error: 'The server did not answer, so the change may or may not have been made. Check your connection.',
      next: 'look',
    }
  }
}
