import type { KeyRecord } from '@/db/queries/keys'

/**
 * The state of a key. `active`; `overlap` while the old secret of a rotated key still works, then `replaced`; `expired` when it
 * reached its expiry without a successor; `revoked` when someone ended it, whatever its earlier state.
 */
export const KEY_STATES = ['active', 'overlap', 'replaced', 'expired', 'revoked'] as const
export type KeyState = (typeof KEY_STATES)[number]

/** Whether a key works no more: revoked, or past its end. */
export const isOver = ({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>, now: Date): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now)

/** The state of a key at a moment. @param isRotated whether it has a successor */
export function keyState(key: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>, isRotated: boolean, now: Date): KeyState {
  if (key.revokedAt) return 'revoked'
  const hasEnded = isOver(key, now)
  if (isRotated) return hasEnded ? 'replaced' : 'overlap'
  return hasEnded ? 'expired' : 'active'
}

/** A key that nobody has used for so many days is likely forgotten. */
export const IDLE_DAYS = 90

/** Whether a key has lain unused for 90 days: since its last use, or since it was made. */
export function isIdle(createdAt: Date, lastUsedAt: Date | null, now: Date): boolean {
  return now.getTime() - (lastUsedAt ?? createdAt).getTime() >= IDLE_DAYS * 86_400_000
}
