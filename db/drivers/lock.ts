import { closeSync, fstatSync, openSync, rmSync, utimesSync } from 'node:fs'
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
import { makePrivate } from './private-directory'

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
