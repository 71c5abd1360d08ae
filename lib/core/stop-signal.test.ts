import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const PROGRAM = `
import { onStopSignal } from './lib/core/stop-signal'
onStopSignal(() => console.log('stopping'), () => process.exit(130))
setInterval(() => {}, 1_000)
console.log('ready')`

test('repeated signals within a moment count as one; a later one ends the process at once', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  await expect.poll(() => said, { timeout: 20_000 }).toContain('ready')
  child.kill('SIGINT')
  await expect.poll(() => said).toContain('stopping')
  child.kill('SIGINT')
  child.kill('SIGTERM')
  await sleep(700)
  expect([child.exitCode, said.match(/stopping/g)]).toEqual([null, ['stopping']])
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([130, null])
})
