/** The longest a key that only reads may work before it counts as one without end. */
const LONGEST_DAYS = 366

/** Reports whether a key is more than a session's loan: it has no end, or none within a year, or it writes. */
export const isLasting = (
  { scopes, expiresAt }: { scopes: readonly string[]; expiresAt: Date | null },
  now: Date,
): boolean =>
  expiresAt === null ||
  expiresAt.getTime() > now.getTime() + LONGEST_DAYS * 86_400_000 ||
  scopes.some((scope) => scope.startsWith('write:'))

/** Returns what administrators are told of a key that lasts; undefined for one that does not. */
export function lastingKeyNotice(
  key: { name: string; scopes: readonly string[]; expiresAt: Date | null },
  now: Date,
): string | undefined {
  if (!isLasting(key, now)) return undefined
  const end = key.expiresAt ? `until ${key.expiresAt.toISOString().slice(0, 10)}` : 'without an end'
  return `“${key.name}”, which has ${key.scopes.join(', ')}, ${end}`
}
