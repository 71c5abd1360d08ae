import type { Server, ServerResponse } from 'node:http'
import { closeDatabase } from '@/db/shared'
import type { Env } from '@/lib/core/env'
import { within } from '@/lib/core/later'
import { onStopSignal } from '@/lib/core/stopping'
import { loadsFinished } from '@/lib/load/hold'
import { requestsLogged } from '@/lib/telemetry/request-log'
import { tracesSent } from '@/lib/telemetry/tracing'

/** The time that requests in flight may take to end once the server is asked to stop: with what follows, it is gone within ten seconds. */
const DRAIN_MS = 6_000
const SWEEP_MS = 100
const LAST_WRITE_MS = 1_500

/** The time that loads may take that go on behind their answers: to write down how far they got, and to remove their files. */
const LAST_LOAD_MS = 2_000

/**
 * Waits for such loads, then writes the rest of the request log and the traces, and that nothing this process is at has ended it; gives each
 * up after a timeout.
 */
export async function writeOut(): Promise<void> {
  await within(LAST_LOAD_MS, loadsFinished(), () => undefined)
  // Loaded at the end: a function begins without the database.
  const putDown = import('@/db/queries/work-in-hand').then(({ putAllDown }) => putAllDown())
  const written = Promise.all([requestsLogged(), tracesSent(), putDown])
  await within<unknown>(LAST_WRITE_MS, written, () => undefined)
}

/** Finishes the requests in flight on a signal, writes the log, closes the database and ends the process. */
export function stopOn(server: Server, { workerSlot }: Env): void {
  const stop = () => {
    const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    // A kept-alive connection would delay the end for as long as its client keeps sending requests.
    server.prependListener('request', (_, response: ServerResponse) => {
      response.shouldKeepAlive = false
    })
    const idle = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(async () => {
      clearTimeout(forced)
      clearInterval(idle)
      await writeOut()
      await closeDatabase()
      process.exit(0)
    })
  }
  if (workerSlot === undefined) {
    onStopSignal(stop, () => process.exit(1))
    return
  }
  // The primary process stops its workers and decides how long they may take; a terminal's signal reaches the workers too.
  onStopSignal(stop, () => {}, ['SIGTERM'])
  process.on('SIGINT', () => {})
}
