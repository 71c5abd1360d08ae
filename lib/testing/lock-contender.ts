import { acquireLock } from '@/db/drivers/lock'

/** A process in a race for a data directory. It only takes the lock, at the time it is given. */
let release = () => {}

async function compete(directory: string, at: number): Promise<boolean> {
  while (Date.now() < at) {
    // Busy-waits, so that all contenders start in the same millisecond.
  }
  try {
    release = (await acquireLock(directory)).release
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'DirectoryLocked') return false
    throw error
  }
}

process.on('message', async (told: { directory: string; at: number } | 'release') => {
  if (told === 'release') {
    release()
    release = () => {}
    process.send?.('released')
  } else process.send?.(await compete(told.directory, told.at))
})
process.send?.('ready')
