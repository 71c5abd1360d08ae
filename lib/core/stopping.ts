import { shared } from '@/lib/core/shared'

const stopSignal = shared<AbortSignal>('stopSignal', () => {
  const controller = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => controller.abort())
  return controller.signal
})

/**
 * Returns a signal aborted once this process is asked to stop, so that long work ends at its next step. For servers; other listeners decide
 * how the process itself ends.
 */
export const stopping = (): AbortSignal => stopSignal()
