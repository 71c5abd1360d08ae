import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Env } from '@/lib/core/env'
import { OperatorError } from '@/lib/core/errors'
import { faultCode } from '@/lib/core/fault-code'
import { log, logFault } from '@/lib/core/log'

/**
 * Binds the server to its address.
 * @param command the command that the operator typed, for the suggestion in the error
 * @throws OperatorError that says how to choose a free address
 */
export function listen(server: Server, { port, host }: Env, command: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const unknown = `This machine finds no address of the host ${host}. Set HOST to an address it has, such as 127.0.0.1, or 0.0.0.0 for all of them.`
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} ${command}`,
        EACCES: `Port ${port} needs privileges that this user does not have. Set PORT to one above 1023.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, such as 127.0.0.1.`,
        ENOTFOUND: unknown,
        EAI_AGAIN: unknown,
      }
      fail(new OperatorError(reasons[error.code ?? ''] ?? error.message))
    })
    server.listen(port, host, done)
  })
}

/** @throws OperatorError when several workers would share an embedded database, or would count limits separately */
export function requireWorkersSafe(settings: Env): void {
  if (settings.databaseDriver === 'pglite')
    throw new OperatorError(
      `WEB_CONCURRENCY is ${settings.workers}, but only one process can open the embedded database. Set DATABASE_URL to a Postgres URL, or unset WEB_CONCURRENCY.`,
    )
  if (!settings.limitStore && !settings.limitsPerWorker)
    throw new OperatorError(
      `WEB_CONCURRENCY is ${settings.workers}, but each worker would count requests separately, so a limit of 10 would let ${settings.workers * 10} pass. ` +
        'Set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN to share one count, set LIMITS_PER_WORKER=true to accept it, or unset WEB_CONCURRENCY.',
    )
}

const NO_FILES_LEFT =
  'This process may not open enough files. Raise the limit: `ulimit -n 4096` in the shell that starts it, LimitNOFILE=4096 under systemd, --ulimit nofile=4096 for a container.'

/** The least number of files and connections: the embedded database keeps up to 120 files open, the rest of the service 40. */
const LEAST_FILES = 256

/**
 * Only Linux is asked, by its table of this process's limits.
 * @throws OperatorError when the system lets this process open too few files
 */
export function requireFiles(table = '/proc/self/limits'): void {
  if (!existsSync(/* turbopackIgnore: true */ table)) return
  const limits = readFileSync(/* turbopackIgnore: true */ table, 'utf8')
  const most = /^Max open files +(\d+)/m.exec(limits)?.[1]
  if (most !== undefined && Number(most) < LEAST_FILES) throw new OperatorError(NO_FILES_LEFT)
}

/** Returns the sentence for an operator about a start that failed; undefined when the fault is ours. */
function startWords(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message
  return ['EMFILE', 'ENFILE'].includes(faultCode(error) ?? '') ? NO_FILES_LEFT : undefined
}

/** Logs why a start failed: what the operator can fix as its sentence without a stack, anything else as our fault. */
export function logStart(error: unknown, level: 'fatal' | 'error' = 'fatal'): void {
  const words = startWords(error)
  if (words === undefined) logFault({ operation: 'start' }, error, level)
  else log(level, { operation: 'start' }, words)
}

/** Ends a process that could not start. */
export function failStart(error: unknown): void {
  logStart(error)
  process.exit(1)
}
