import { takeLock } from './drivers/lock'

/** A process of a race for a data directory: it does nothing but take the lock when it is told to, at the moment it is told. */
let release = () => {}

async function compete(directory: string, at: number): Promise<boolean> {
  while (Date.now() < at) {
    // All of them wake in the same millisecond.
  }
  try {
    release = (await takeLock(directory)).release
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
