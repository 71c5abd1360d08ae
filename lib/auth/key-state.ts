import type { KeyRecord } from '@/db/queries/keys'

/**
 * The state of a key. `active`; `overlap` while the old secret of a rotated key still works, then `replaced`; `expired` when it
 * reached its expiry without a successor; `revoked` when someone ended it, whatever its earlier state.
 */
export const KEY_STATES = ['active', 'overlap', 'replaced', 'expired', 'revoked'] as const
export type KeyState = (typeof KEY_STATES)[number]

/** Reports whether a key no longer works: revoked or expired. */
export const isOver = ({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>, now: Date): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now)

/** Returns a key's state at a given time. @param isRotated whether it has a successor */
export function keyState(key: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>, isRotated: boolean, now: Date): KeyState {
  if (key.revokedAt) return 'revoked'
  const hasEnded = isOver(key, now)
  if (isRotated) return hasEnded ? 'replaced' : 'overlap'
  return hasEnded ? 'expired' : 'active'
}

/** A key unused for this many days is probably forgotten. */
export const IDLE_DAYS = 90

/** Reports whether a key has not been used for 90 days, counted from its last use or else from its creation. */
export function isIdle(createdAt: Date, lastUsedAt: Date | null, now: Date): boolean {
  return now.getTime() - (lastUsedAt ?? createdAt).getTime() >= IDLE_DAYS * 86_400_000
}
