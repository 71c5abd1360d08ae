import pTimeout from 'p-timeout'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: 'next',
  version: '16.4.6',
  what: 'How `next start` ends on a signal: by `process.exit`, once its requests and what they hold have ended. It waits for nothing else, so a database could not be closed, and the embedded one has to recover at the next start.',
  upstream: 'https://github.com/vercel/next.js/discussions/19693',
  removeWhen: 'Next awaits something of the instrumentation hook before it ends the process.',
}

/** How long the last work may take. */
const LAST_MS = 5_000

/** Does `last` when the process is about to exit after a signal to stop, and lets it exit then. An exit for any other reason is not held up. */
export function beforeStop(stopping: AbortSignal, last: () => Promise<void>): void {
  const exit = process.exit.bind(process)
  const exitLater = (code?: number | string | null): never => {
    process.exit = exit
    if (!stopping.aborted) return exit(code)
    const ended = pTimeout(last(), { milliseconds: LAST_MS, fallback: () => undefined })
    void ended.catch(() => {}).finally(() => exit(code))
    // Whoever ends a server on a signal does nothing after it.
    return undefined as never
  }
  process.exit = exitLater
}
