import { shared } from '@/lib/core/shared'

/**
 * Signals this close together count as one: a terminal sends Ctrl-C to npm and to the server, and npm forwards it; a supervisor may
 * signal a whole process group.
 */
const ECHO_MS = 500

/**
 * Listens for signals to stop: SIGTERM and SIGINT by default.
 * @param stop called at the first signal
 * @param again called at a later one, from somebody who does not want to wait
 */
export function onStopSignal(
  stop: () => void,
  again: () => void,
  signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): void {
  let heardAt: number | undefined
  const heard = () => {
    if (heardAt === undefined) {
      heardAt = performance.now()
      stop()
    } else if (performance.now() - heardAt > ECHO_MS) again()
  }
  for (const signal of signals) process.on(signal, heard)
}

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
