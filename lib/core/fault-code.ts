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

/**
 * Reports whether an error says that a program is wrong, ours or a library's. Whoever words a failure as a verdict on somebody's file or
 * server throws such a one on: it belongs in the log.
 */
export const isBug = (error: unknown): boolean => error instanceof TypeError || error instanceof ReferenceError

/** Reports whether an error says that a program is wrong or that the machine failed, and so nothing of the file whose bytes were read. */
export const isOwnFault = (error: unknown): boolean => isBug(error) || (error instanceof Error && 'syscall' in error)
