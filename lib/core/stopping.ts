import { processWide } from './shared'

const told = processWide('stopping', () => {
  const controller = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => controller.abort())
  return controller.signal
})

/**
 * Aborted once this process is told to stop, so that long work ends at its next step. For servers: how the process itself ends is decided
 * by those who listen beside this.
 */
export const stopping = (): AbortSignal => told()
