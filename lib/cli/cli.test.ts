import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { FILES } from '@/lib/load/kinds'
import { SOURCE_FILES } from '@/lib/load/sources/registry'
import type { Io } from './io'
import { fitted, type Style, writeTable } from './io'
import { COMMANDS, runCommand } from './run'

function capture() {
  const out: string[] = []
  const err: string[] = []
  const io: Io = { out: (text) => void out.push(text), err: (text) => void err.push(text), cwd: '/' }
  return { io, out: () => out.join(''), err: () => err.join('') }
}

test('help lists every command, and exits with 0', async () => {
  const { io, out } = capture()
  expect(await runCommand(['--help'], io)).toBe(0)
  const listed = [...out().matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
  expect(listed.sort()).toEqual([...COMMANDS].sort())
})

test('what was not understood is explained and exits with 2, apart from what failed', async () => {
  const misused = [
    ['unknown'],
    ['keys', 'list', '--shade'],
    ['keys', 'rotate', 'key_1', '--overlap', '2h'],
    ['keys', 'create'],
  ]
  for (const argv of misused) {
    const { io, err } = capture()
    expect(await runCommand(argv, io)).toBe(2)
    expect(err()).toMatch(/^error: /)
  }
})

test('--version prints the version and its commit; help marks the options that must be given', async () => {
  const version = capture()
  expect(await runCommand(['--version'], version.io)).toBe(0)
  expect(version.out()).toMatch(/^\d+\.\d+\.\d+ \(commit unknown\)\n$/)
  const help = capture()
  expect(await runCommand(['keys', 'create', '--help'], help.io)).toBe(0)
  expect(help.out()).toMatch(/--contractor <id or slug>\s+\(required\)/)
})

test('help of load lists every file and every export that it reads', async () => {
  const { io, out } = capture()
  expect(await runCommand(['load', '--help'], io)).toBe(0)
  for (const name of [...FILES, ...SOURCE_FILES.flatMap(({ source, file }) => [source, file])])
    expect(out()).toContain(name)
})

test('a table fits the terminal: prose is cut, ids stay whole; without a terminal nothing is cut', () => {
  const rows = [
    ['ID', 'NAME', 'WHY'],
    [
      'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
      'Accounting sync of the office',
      'its name says it; 20 of 20 cells are phone numbers',
    ],
  ]
  expect(fitted(rows, undefined)).toEqual([30, 29, 50])
  const widths = fitted(rows, 80)
  expect([widths[0], widths.reduce((sum, each) => sum + each + 2, -2)]).toEqual([30, 80])
  expect(fitted(rows, 20)).toEqual([30, 12, 12])
  const lines: [string, Style | undefined][] = []
  const io: Io = { out: (text, style) => void lines.push([text, style]), err: () => {}, cwd: '/', width: 80 }
  writeTable(io, rows[0] ?? [], rows.slice(1))
  expect(lines[0]?.[1]).toBe('bold')
  expect(lines[1]?.[0]).toMatch(/^key_01k9zq2v6n8m4t5c3b7x1w0jd2 {2}.*…\n$/)
})

test('what failed stands out', async () => {
  const styles: (Style | undefined)[] = []
  const io: Io = { out: () => {}, err: (_, style) => void styles.push(style), cwd: '/' }
  await runCommand(['load', 'inspect', 'not-there.csv'], io)
  expect(styles).toEqual(['red'])
})

test.each(['bash', 'zsh', 'fish'])(
  'completion for %s is printed, and names commands and options of commands',
  async (shell) => {
    const { io, out } = capture()
    expect(await runCommand(['completion', shell], io)).toBe(0)
    for (const word of ['contractors', 'load-permits', 'rotate', '--overlap']) expect(out()).toContain(word)
  },
)

test('the script for bash completes in bash', async () => {
  const { io, out } = capture()
  await runCommand(['completion', 'bash'], io)
  const complete = (...words: string[]) =>
    execFileSync('bash', [
      '-c',
      `${out()}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _plumbline; echo "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ])
      .toString()
      .trim()
      .split(' ')
  expect(complete('plumbline', 'load-')).toEqual(['load-permits', 'load-documents'])
  expect(complete('plumbline', 'keys', 'ro')).toEqual(['rotate'])
  expect(complete('plumbline', 'keys', 'rotate', 'key_1', '--ov')).toEqual(['--overlap'])
})
