import { closeSync, fstatSync, mkdirSync, openSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../lib/core/log'
import { lockFile } from './file-lock'
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

/** How often a holder shows that it lives, and how long another machine watches before it takes it for gone. */
const BEAT_MS = 2_000
const WATCH_MS = 10_000
/** How long a holder that has just taken the lock may take to write its name. */
const NAMING_MS = 1_000

/** Another's name once it is written. */
async function namedSoon(directory: string): Promise<LockHolder | undefined> {
  for (const end = performance.now() + NAMING_MS; ; await sleep(50)) {
    const holder = lockHolder(directory)
    if (holder || performance.now() > end) return holder
  }
}

/** The moment of the last sign of life. Opened for it, as a shared file system may answer an older one otherwise. */
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

/** Whether a holder on another machine gives a sign of life while it is watched; no two clocks are compared. */
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
 * Whether somebody uses the directory whom the file lock did not stop: a version from before there was one, or a machine whose locks
 * this one does not see.
 */
async function isUsedBeyondLock(directory: string, holder: LockHolder | undefined): Promise<boolean> {
  if (!holder) return false
  if (holder.machine === undefined) return isAlive(holder)
  return holder.machine !== thisMachine() && isBeating(directory, holder)
}

/** A process whose directory was taken over while it could not give a sign of life must write nothing more. */
function endLost(directory: string, holder: LockHolder): void {
  log(
    'fatal',
    { operation: 'lock' },
    `The data directory ${directory} was taken over by ${nameOf(holder)} while this process stood still. It ends now, so that two do not write.`,
  )
  process.exit(1)
}

/** Gives signs of life until it is stopped, for machines that do not see the file lock. */
function beat(directory: string, self: () => LockHolder): () => void {
  const timer = setInterval(() => {
    const holder = named(directory)
    if (holder && !isSame(holder, self())) return endLost(directory, holder)
    try {
      if (!holder) nameHolder(directory, self())
      const now = new Date()
      utimesSync(holderPath(directory), now, now)
    } catch {
      // A disk that is full or gone for a moment; the file lock stands without it.
    }
  }, BEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Takes the lock of a data directory, making the directory where it is missing. The lock is the operating system's, on the file `lock`,
 * and ends with its process. `lock.json` beside it says who holds it; it decides only where the other's lock cannot be seen.
 * @returns a function that gives the lock back, and one that publishes the control address
 * @throws DirectoryLocked when a live process holds it
 */
export async function takeLock(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
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
