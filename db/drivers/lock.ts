import { spawnSync } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../lib/core/log'
import {
  DirectoryLocked,
  holderPath,
  isAlive,
  isSame,
  type LockHolder,
  lockHolder,
  named,
  nameHolder,
  nameOf,
  thisHolder,
  thisMachine,
} from './holder'
import { makePrivate } from './private-directory'

/** The flag `O_EXLOCK` on BSD and macOS. On Windows, libuv has a flag with the same effect. Node exports neither. */
const EXCLUSIVE_ON_BSD = 0x20
const EXCLUSIVE_ON_WINDOWS = 0x1000_0000

const READ_WRITE = constants.O_RDWR | constants.O_CREAT
const OWNER_ONLY = 0o600

/** Opens a file and locks it in one call; undefined when it is locked. */
function openLocked(path: string, flags: number): number | undefined {
  try {
    return openSync(path, READ_WRITE | flags, OWNER_ONLY)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY'))
      return undefined
    throw error
  }
}

/**
 * Locks a file on Linux, where that takes a call Node does not have. The program `flock` makes the call for the file it inherits, and the
 * lock remains.
 */
function lockByProgram(path: string): number | undefined {
  const file = openSync(path, READ_WRITE, OWNER_ONLY)
  const { status, error, stderr } = spawnSync('flock', ['-xn', '3'], { stdio: ['ignore', 'ignore', 'pipe', file] })
  if (status === 0) return file
  closeSync(file)
  if (status === 1) return undefined
  const why = error && 'code' in error && error.code === 'ENOENT' ? 'it is not installed' : String(error ?? stderr)
  throw new Error(
    `The data directory could not be locked with the program flock: ${why}. It comes with util-linux and BusyBox. ` +
      'Install one of them, or set DATABASE_URL to a Postgres.',
  )
}

/**
 * Takes the operating system's exclusive lock on a file, creating the file if needed. The lock ends when the descriptor is closed
 * or the process ends for any reason, so nothing stale is left behind. Never remove or replace the file.
 * @returns the descriptor that holds the lock; undefined while another process holds it
 */
function lockFile(path: string): number | undefined {
  if (process.platform === 'linux' || process.platform === 'android') return lockByProgram(path)
  if (process.platform === 'win32') return openLocked(path, EXCLUSIVE_ON_WINDOWS)
  return openLocked(path, EXCLUSIVE_ON_BSD | constants.O_NONBLOCK)
}

/** The interval at which a holder updates its name, and how long another machine watches before it considers the holder gone. */
const BEAT_MS = 2_000
const WATCH_MS = 10_000
/** The time a new holder may take to write its name. */
const NAMING_MS = 1_000

/** The other holder's name, once it is written. */
async function namedSoon(directory: string): Promise<LockHolder | undefined> {
  for (const end = performance.now() + NAMING_MS; ; await sleep(50)) {
    const holder = lockHolder(directory)
    if (holder || performance.now() > end) return holder
  }
}

/** The time of the last update. The file is opened first, because a shared file system may report an older time otherwise. */
function lastBeat(directory: string): number | undefined {
  try {
    const file = openSync(holderPath(directory), 'r')
    const { mtimeMs } = fstatSync(file)
    closeSync(file)
    return mtimeMs
  } catch {
    return undefined
  }
}

/** Reports whether a holder on another machine updates its name while it is watched; no two clocks are compared. */
async function isBeating(directory: string, holder: LockHolder): Promise<boolean> {
  log(
    'warn',
    { operation: 'start' },
    `The data directory was last used by ${nameOf(holder)}, on a machine that was not stopped cleanly. Watching ${WATCH_MS / 1000} s for a sign of life.`,
  )
  const before = lastBeat(directory)
  for (const end = performance.now() + WATCH_MS; performance.now() < end; await sleep(200)) {
    const now = lastBeat(directory)
    if (now === undefined) return false
    if (now !== before) return true
  }
  return false
}

/**
 * Reports whether the directory is used by somebody the file lock did not stop: an older version without it, or a machine whose locks this
 * one cannot see.
 */
async function isUsedBeyondLock(directory: string, holder: LockHolder | undefined): Promise<boolean> {
  if (!holder) return false
  if (holder.machine === undefined) return isAlive(holder)
  return holder.machine !== thisMachine() && isBeating(directory, holder)
}

/** Ends this process: its directory was taken over while it could not update its name, so it must not write any more. */
function endLost(directory: string, holder: LockHolder): void {
  log(
    'fatal',
    { operation: 'lock' },
    `The data directory ${directory} was taken over by ${nameOf(holder)} while this process stood still. It ends now, so that two do not write.`,
  )
  process.exit(1)
}

/** Updates the holder's name until it is stopped, for machines that do not see the file lock. */
function beat(directory: string, self: () => LockHolder): () => void {
  const timer = setInterval(() => {
    const holder = named(directory)
    if (holder && !isSame(holder, self())) return endLost(directory, holder)
    try {
      if (!holder) nameHolder(directory, self())
      const now = new Date()
      utimesSync(holderPath(directory), now, now)
    } catch {
      // The disk may be full or gone for a moment; the file lock holds regardless.
    }
  }, BEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Takes the lock of a data directory, creating the directory if needed and closing it to other users. The operating system's lock on the file `lock` decides and
 * ends with its process. `lock.json` next to it names the holder and decides only where the other's lock cannot be seen.
 * @returns a function that releases the lock, and one that publishes the control address
 * @throws DirectoryLocked when a live process holds it, DirectoryOpen when others may read it and it cannot be closed
 */
export async function acquireLock(directory: string) {
  makePrivate(directory)
  const file = lockFile(join(directory, 'lock'))
  if (file === undefined) throw new DirectoryLocked(directory, await namedSoon(directory))
  try {
    const before = named(directory)
    if (await isUsedBeyondLock(directory, before)) throw new DirectoryLocked(directory, before)
    let self = thisHolder()
    nameHolder(directory, self)
    const stopBeating = beat(directory, () => self)
    return {
      publish: (control: { port: number; token: string }) => {
        self = { ...self, control }
        nameHolder(directory, self)
      },
      release: () => {
        stopBeating()
        if (isSame(named(directory), self)) rmSync(holderPath(directory), { force: true })
        closeSync(file)
      },
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}
