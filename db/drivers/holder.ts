import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Who has a data directory open; the content of `lock.json`, readable by its owner only. */
export type LockHolder = {
  pid: number
  /** When the process began, so that a pid given to another process since is not taken for the holder. */
  processStarted: string | undefined
  command: string
  since: string
  host?: string
  /** The running system: another one's processes cannot be seen from here, and its file locks may not be. */
  machine?: string
  /** Where the holder takes commands from this machine, once it listens. */
  control?: { port: number; token: string }
}

/** Another live process has the data directory open. */
export class DirectoryLocked extends Error {
  override name = 'DirectoryLocked'

  constructor(directory: string, holder: LockHolder | undefined) {
    super(
      `The data directory ${directory} is in use by ${holder ? nameOf(holder) : 'another process'}. ` +
        'Two processes on one embedded database lose data, so this one stops here. Stop the other one, ' +
        'choose another directory with PLUMBLINE_DATA_DIR, or set DATABASE_URL to share a Postgres.',
    )
  }
}

/** The file in which a data directory's holder is named. */
export const holderPath = (directory: string) => join(directory, 'lock.json')

/** A holder in words. */
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

/** When a process began, in the kernel's own clock ticks; undefined where the system does not tell. */
function processStarted(pid: number): string | undefined {
  // The name in parentheses may hold spaces, so count the fields behind it: the start time is the 22nd of all.
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

/** What tells this running system from others, and from itself before it was started again; the host's name where there is no more. */
export const thisMachine = () => read('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname()

/** Whether a process that is named is there, on this machine. */
export function isAlive(holder: LockHolder): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
  }
  return holder.processStarted === undefined || holder.processStarted === processStarted(holder.pid)
}

/** Who wrote its name into a data directory last, and has not taken it out. */
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

/** Names the holder. Written beside it and renamed, so that nobody reads half of it. */
export function nameHolder(directory: string, holder: LockHolder): void {
  const written = `${holderPath(directory)}.new`
  writeFileSync(written, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(written, holderPath(directory))
}

/** Whether two names are of one taking. */
export const isSame = (a: LockHolder | undefined, b: LockHolder) =>
  a?.pid === b.pid && a.since === b.since && a.machine === b.machine

/** This process as the holder. */
export const thisHolder = (): LockHolder => ({
  pid: process.pid,
  processStarted: processStarted(process.pid),
  command: process.argv.slice(1, 4).map(shortName).join(' '),
  since: new Date().toISOString(),
  host: hostname(),
  machine: thisMachine(),
})
