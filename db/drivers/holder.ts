import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '../../lib/core/errors'

/** The holder of a data directory: the content of `lock.json`, readable by its owner only. */
export type LockHolder = {
  pid: number
  /** The start time of the process, so that a reused pid is not mistaken for the holder. */
  processStarted: string | undefined
  command: string
  since: string
  host?: string
  /** The running system: processes of another one cannot be seen from here, and perhaps not its file locks. */
  machine?: string
  /** The port and token by which the holder takes commands from this machine, once it listens. */
  control?: { port: number; token: string }
}

/** An error when another live process has the data directory open. */
export class DirectoryLocked extends OperatorError {
  override name = 'DirectoryLocked'

  constructor(directory: string, holder: LockHolder | undefined) {
    super(
      `The data directory ${directory} is in use by ${holder ? nameOf(holder) : 'another process'}. ` +
        'Two processes on one embedded database lose data, so this one stops here. Stop the other one, ' +
        'choose another directory with PLUMBLINE_DATA_DIR, or set DATABASE_URL to share a Postgres.',
    )
  }
}

/** The file that names a data directory's holder. */
export const holderPath = (directory: string) => join(directory, 'lock.json')

/** Describes a holder in words. */
export const nameOf = ({ pid, host, command, since }: LockHolder) =>
  `process ${pid}${host === undefined || host === hostname() ? '' : ` on ${host}`} (${command}, since ${since})`

/** An argument without its folders: enough to recognize the process, and no path in a message. */
const shortName = (argument: string) => argument.split(/[\\/]/).at(-1) ?? argument

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns when a process began, in the kernel's clock ticks; undefined where the system does not say. */
export function processStarted(pid: number): string | undefined {
  // The name in parentheses may contain spaces, so count the fields after it: the start time is the 22nd of all.
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

/** Identifies this running system, also across reboots; falls back to the host name. */
export const thisMachine = () => read('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname()

/** Reports whether the named process is alive on this machine. */
export function isAlive(holder: LockHolder): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
  }
  return holder.processStarted === undefined || holder.processStarted === processStarted(holder.pid)
}

/** The holder written last into a data directory and not removed since. */
export function named(directory: string): LockHolder | undefined {
  try {
    const holder: LockHolder = JSON.parse(readFileSync(holderPath(directory), 'utf8'))
    return Number.isInteger(holder.pid) ? holder : undefined
  } catch {
    return undefined
  }
}

/** The live process of this machine that has a data directory open, if any. */
export function lockHolder(directory: string): LockHolder | undefined {
  const holder = named(directory)
  return holder && isAlive(holder) ? holder : undefined
}

/** Writes the holder's name to a temporary file and renames it, so that nobody reads half of it. */
export function nameHolder(directory: string, holder: LockHolder): void {
  const written = `${holderPath(directory)}.new`
  writeFileSync(written, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(written, holderPath(directory))
}

/** Reports whether two names belong to the same holder. */
export const isSame = (a: LockHolder | undefined, b: LockHolder) =>
  a?.pid === b.pid && a.since === b.since && a.machine === b.machine

/** Returns this process as holder. */
export const thisHolder = (): LockHolder => ({
  pid: process.pid,
  processStarted: processStarted(process.pid),
  command: process.argv.slice(1, 4).map(shortName).join(' '),
  since: new Date().toISOString(),
  host: hostname(),
  machine: thisMachine(),
})
