import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'

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
export function lockFile(path: string): number | undefined {
  if (process.platform === 'linux' || process.platform === 'android') return lockByProgram(path)
  if (process.platform === 'win32') return openLocked(path, EXCLUSIVE_ON_WINDOWS)
  return openLocked(path, EXCLUSIVE_ON_BSD | constants.O_NONBLOCK)
}
