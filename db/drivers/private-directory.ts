import { accessSync, chmodSync, constants, readdirSync, statSync } from 'node:fs'
import { makeFolder } from '../../lib/core/disk'
import { OperatorError } from '../../lib/core/errors'
import { faultCode } from '../../lib/core/fault-code'

/** Others of this machine may read the data directory, and this process must not or cannot change that. */
export class DirectoryOpen extends OperatorError {
  override name = 'DirectoryOpen'

  constructor(directory: string, why: string) {
    super(
      `Other users of this machine may read the data directory ${directory}, and it is not closed to them because ${why}. ` +
        'Run `chmod 700` on it as its owner, or set PLUMBLINE_DATA_DIR to a directory inside it, which is then created for this user only.',
    )
  }
}

const OF_OTHERS = 0o077
/** The bit set on directories that everybody may write to, such as /tmp. */
const STICKY = 0o1000

/** The entries that a data directory has as soon as it was used. */
const OURS = ['lock', 'pg', 'secrets.json']

/** Returns why a directory must not be closed to others; undefined when it is this user's, and holds nothing but data of ours. */
function whyNotOurs(directory: string, { uid, mode }: { uid: number; mode: number }): string | undefined {
  if (uid !== process.getuid?.()) return 'it belongs to another user'
  if (mode & STICKY) return 'it is shared'
  const names = readdirSync(directory)
  return names.length === 0 || OURS.some((name) => names.includes(name)) ? undefined : 'it holds other files'
}

const REASONS: Record<string, string> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'its disk is read-only',
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'a part of its path leads nowhere',
  ENOSPC: 'its disk is full',
  ELOOP: 'a part of its path leads in a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** Runs what a directory is made or tried with. @throws OperatorError that says why it cannot be written */
function writing(directory: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    const why = REASONS[faultCode(error) ?? ''] ?? String(error)
    throw new OperatorError(
      `The data directory ${directory} cannot be written: ${why}. Set PLUMBLINE_DATA_DIR to one that this user may write, or DATABASE_URL to a Postgres.`,
      { cause: error },
    )
  }
}

/** Closes a directory to other users. @throws DirectoryOpen when it is not this user's alone, or cannot be closed */
function close(directory: string): void {
  const isOpen = () => (statSync(directory).mode & OF_OTHERS) !== 0
  if (!isOpen()) return
  const why = whyNotOurs(directory, statSync(directory))
  if (why) throw new DirectoryOpen(directory, why)
  try {
    chmodSync(directory, 0o700)
  } catch {
    // Looked at below, because some file systems also keep no rights without saying so.
  }
  if (isOpen()) throw new DirectoryOpen(directory, 'its file system keeps no rights')
}

/**
 * Creates a data directory if needed, and closes it to other users of this machine: it holds the database and its secrets.
 * @throws OperatorError when it cannot be written
 * @throws DirectoryOpen when it is open to others and not this user's alone, or cannot be closed
 */
export function makePrivate(directory: string): void {
  writing(directory, () => makeFolder(directory))
  // Windows has other rights than these.
  if (process.platform !== 'win32') close(directory)
  writing(directory, () => accessSync(directory, constants.W_OK | constants.X_OK))
}
