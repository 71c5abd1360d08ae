import type { Server } from 'node:http'
import { DirectoryLocked } from '@/db/client'
import { DiskFull } from '@/lib/core/disk'
import { type Env, EnvError } from '@/lib/core/env'
import { log, logFault } from '@/lib/core/log'
import { DeploymentRefused } from './deployment/check'

/** A start that failed for a reason the operator can fix; it is reported in one sentence, without a stack. */
class StartError extends Error {}

/**
 * Binds the server to its address.
 * @param command the command that the operator typed, for the suggestion in the error
 * @throws StartError that says how to choose a free address
 */
export function listen(server: Server, { port, host }: Env, command: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} ${command}`,
        EACCES: `Port ${port} needs privileges that this user does not have. Set PORT to one above 1023.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, such as 127.0.0.1.`,
      }
      fail(new StartError(reasons[error.code ?? ''] ?? error.message))
    })
    server.listen(port, host, done)
  })
}

/** @throws StartError when several workers would share an embedded database, or would count limits separately */
export function requireWorkersSafe(settings: Env): void {
  if (settings.databaseDriver === 'pglite')
    throw new StartError(
      `WEB_CONCURRENCY is ${settings.workers}, but only one process can open the embedded database. Set DATABASE_URL to a Postgres URL, or unset WEB_CONCURRENCY.`,
    )
  if (!settings.limitStore && !settings.limitsPerWorker)
    throw new StartError(
      `WEB_CONCURRENCY is ${settings.workers}, but each worker would count requests separately, so a limit of 10 would let ${settings.workers * 10} pass. ` +
        'Set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN to share one count, set LIMITS_PER_WORKER=true to accept it, or unset WEB_CONCURRENCY.',
    )
}

/** Ends a process that could not start: prints a `StartError` as its sentence, and logs anything else as our fault. */
export function failStart(error: unknown): void {
  const known = [StartError, EnvError, DirectoryLocked, DeploymentRefused, DiskFull].find(
    (kind) => error instanceof kind,
  )
  if (known && error instanceof Error) log('fatal', { operation: 'start' }, error.message)
  else logFault({ operation: 'start' }, error, 'fatal')
  process.exit(1)
}
