import 'server-only'
import type { Actor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { listKeyNames } from '@/lib/operations/requests/key-names'
import type { LogRow } from '@/lib/portal/log-rows'

/** A key's name. `isOver` is true once it is revoked or expired. */
export type KeyName = { keyId: string; name: string; last4: string; isOver: boolean }

/** Returns every key the user's contractor has had, newest first. */
export async function readKeyNames(actor: Actor): Promise<KeyName[]> {
  return (await execute(listKeyNames, { actor, now: new Date() }, {})).items
}

/** Returns a key's name, or its id when the key no longer exists. */
export const nameOf = (keys: KeyName[], keyId: string | null): string =>
  keys.find((key) => key.keyId === keyId)?.name ?? keyId ?? 'no key'

type Logged = Omit<LogRow, 'keyName'> & { keyId: string | null }

/** Turns logged requests into rows with only the fields the table shows, because they are sent to the browser. */
export function rowsOf(items: Logged[], keys: KeyName[]): LogRow[] {
  return items.map(({ id, at, method, path, endpoint, mcpMethod, status, errorCode, keyId, address, durationMs }) => ({
    id,
    at,
    method,
    path,
    endpoint,
    mcpMethod,
    status,
    errorCode,
    keyName: nameOf(keys, keyId),
    address,
    durationMs,
  }))
}
