import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Who has a data directory open; the file's content, readable by its owner only. */
export type LockHolder = {
  pid: number
  /** When the process began, so that a pid given to another process since is not taken for the holder. */
  processStarted: string | undefined
  command: string
  since: string
  /** Where the holder takes commands from this machine, once it listens. */
  control?: { port: number; token: string }
}

/** Another live process has the data directory open. */
export class DirectoryLocked extends Error {
  override name = 'DirectoryLocked'
  readonly holder: LockHolder

  constructor(directory: string, holder: LockHolder) {
    super(
      `The data directory ${directory} is in use by process ${holder.pid} (${holder.command}, since ${holder.since}). ` +
        'Two processes on one embedded database lose data, so this one stops here. Stop the other one, ' +
        'choose another directory with PLUMBLINE_DATA_DIR, or set DATABASE_URL to share a Postgres.',
    )
    this.holder = holder
  }
}

const lockPath = (directory: string) => join(directory, 'lock.json')

/** When a process began, in the kernel's own clock ticks; undefined where the system does not tell. */
function processStarted(pid: number): string | undefined {
  try {
    // The name in parentheses may hold spaces, so count the fields behind it: the start time is the 22nd of all.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

function isAlive(holder: LockHolder): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
  }
  return holder.processStarted === undefined || holder.processStarted === processStarted(holder.pid)
}

/** The live process that has a data directory open, if any. */
export function lockHolder(directory: string): LockHolder | undefined {
  try {
    const holder: LockHolder = JSON.parse(readFileSync(lockPath(directory), 'utf8'))
    return Number.isInteger(holder.pid) && isAlive(holder) ? holder : undefined
  } catch {
    return undefined
  }
}

function write(directory: string, holder: LockHolder, flag: 'wx' | 'w'): void {
  writeFileSync(lockPath(directory), `${JSON.stringify(holder)}\n`, { flag, mode: 0o600 })
}

/**
 * Takes the lock of a data directory, making the directory where it is missing. A lock left by a process that is gone is
 * taken over: it is moved aside first, so that of several takers only one succeeds.
 * @returns a function that gives the lock back, and one that publishes the control address in it
 * @throws DirectoryLocked when a live process holds it
 */
export function takeLock(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const self: LockHolder = {
    pid: process.pid,
    processStarted: processStarted(process.pid),
    command: process.argv.slice(1, 4).map(shortName).join(' '),
    since: new Date().toISOString(),
  }
  for (let attempt = 0; ; attempt++) {
    try {
      write(directory, self, 'wx')
      break
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const holder = lockHolder(directory)
      if (holder || attempt > 5) throw new DirectoryLocked(directory, holder ?? self)
      const aside = `${lockPath(directory)}.${process.pid}.${attempt}.stale`
      try {
        renameSync(lockPath(directory), aside)
        rmSync(aside)
      } catch {
        // Another taker moved it first; the next turn sees whose it is now.
      }
    }
  }
  return {
    publish: (control: { port: number; token: string }) => write(directory, { ...self, control }, 'w'),
    release: () => rmSync(lockPath(directory), { force: true }),
  }
}

/** An argument without its folders: enough to recognise the process, and no path in a message. */
const shortName = (argument: string) => argument.split(/[\\/]/).at(-1) ?? argument
