/** Writes a fault of ours to standard error as one JSON line; clients only see the request id. */
export function logFault(requestId: string, fault: unknown): void {
  const detail =
    fault instanceof Error
      ? { message: fault.message, stack: fault.stack, cause: String(fault.cause ?? '') }
      : { message: String(fault) }
  console.error(JSON.stringify({ time: new Date().toISOString(), level: 'error', requestId, ...detail }))
}
