import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** A process that is held before it stops, and exits as `ending` says. */
const exited = (ending: string) =>
  spawnSync(
    process.execPath,
    [
      '--import=tsx',
      '--input-type=module',
      '-e',
      `import { setTimeout as sleep } from 'node:timers/promises'
       const { beforeStop } = await import('./patches/next-stop.ts')
       const stop = new AbortController()
       beforeStop(stop.signal, async () => { await sleep(50); console.log('closed') })
       ${ending}`,
    ],
    { encoding: 'utf8' },
  )

test('after a signal to stop, an exit waits for the last work and keeps its code', () => {
  expect(exited('stop.abort(); process.exit(143)')).toMatchObject({ status: 143, stdout: 'closed\n' })
})

test('any other exit is at once', () => {
  expect(exited('process.exit(1)')).toMatchObject({ status: 1, stdout: '' })
})
