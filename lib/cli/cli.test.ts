import { expect, test } from 'vitest'
import type { Io } from './io'
import { runCommand } from './run'

function capture() {
  const out: string[] = []
  const err: string[] = []
  const io: Io = { out: (text) => void out.push(text), err: (text) => void err.push(text), cwd: '/' }
  return { io, out: () => out.join(''), err: () => err.join('') }
}

test('help lists every command and exits with 0', async () => {
  const { io, out } = capture()
  expect(await runCommand(['--help'], io)).toBe(0)
  for (const command of ['contractors', 'keys', 'load', 'backup', 'restore', 'retention', 'migrate', 'status'])
    expect(out()).toContain(command)
})

test('an unknown command, option or value is explained and exits with 1', async () => {
  for (const argv of [['unknown'], ['keys', 'list', '--shade'], ['keys', 'rotate', 'key_1', '--overlap', '2h']]) {
    const { io, err } = capture()
    expect(await runCommand(argv, io)).toBe(1)
    expect(err()).toMatch(/^error: /)
  }
})
