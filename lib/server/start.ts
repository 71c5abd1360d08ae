import type { Server } from 'node:http'
import { DirectoryLocked } from '@/db/client'
import { DiskFull } from '@/lib/core/disk'
import { type Env, EnvError } from '@/lib/core/env'
import { log, logFault } from '@/lib/core/log'
import { DeploymentRefused } from './deployment/check'

/** A start that the operator can make possible: reported in one sentence, without a stack. */
export class StartError extends Error {}

/**
 * Binds the server to its address.
 * @param command what starts it, for the operator to type again
 * @throws StartError that says how to get an address that is free
 */
export function listen(server: Server, { port, host }: Env, command: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} ${command}`,
        EACCES: `Port ${port} needs rights this user does not have. Choose one above 1023 with PORT.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, such as 127.0.0.1.`,
      }
      fail(new StartError(reasons[error.code ?? ''] ?? error.message))
    })
    server.listen(port, host, done)
  })
}

/** @throws StartError where several workers would break a promise: one process per embedded database, and exact limits */
export function requireShared(settings: Env): void {
  if (settings.databaseDriver === 'pglite')
    throw new StartError(
      `WEB_CONCURRENCY is ${settings.workers}, but the embedded database is opened by one process at a time. Set DATABASE_URL to a Postgres, or leave WEB_CONCURRENCY out.`,
    )
  if (!settings.limitStore && !settings.limitsPerWorker)
    throw new StartError(
      `WEB_CONCURRENCY is ${settings.workers}, but each worker would count requests by itself, so that a limit of 10 would let ${settings.workers * 10} pass. ` +
        'Set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN to count in one place, set LIMITS_PER_WORKER=true to accept it, or leave WEB_CONCURRENCY out.',
    )
}

/** Ends the process that could not start: what the operator can change in its own words, anything else as a fault of ours. */
export function failStart(error: unknown): void {
  const known = [StartError, EnvError, DirectoryLocked, DeploymentRefused, DiskFull].find(
    (kind) => error instanceof kind,
  )
  if (known && error instanceof Error) log('fatal', { operation: 'start' }, error.message)
  else logFault({ operation: 'start' }, error, 'fatal')
  process.exit(1)
}
