/**
 * Returns the code of an error or of the nearest cause that has one, because Drizzle wraps the driver's error: an SQLSTATE of Postgres, or
 * a system's name such as `ENOSPC`. Undefined when none has.
 */
export function faultCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}
