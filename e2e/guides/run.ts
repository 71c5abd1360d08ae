import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import type { Block } from './blocks'

export type Variables = NodeJS.ProcessEnv
export type Ran = { code: number | null; out: string; err: string }

/** Runs a program to its end without holding up what else this process does, such as a proxy. */
export function run(command: string, args: string[], env: Variables, cwd = process.cwd()): Promise<Ran> {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done({ code, out, err }))
  })
}

/** The block's own curl, which also tells the status beside what is printed. */
const CURL = `curl() { command curl -sS -w '%{stderr}\\nstatus=%{http_code}\\n' "$@"; }\n`

/** The command line of Claude Code, which writes down how it was called. */
const CLAUDE = `claude() { printf '%s\\n' "$@"; }\n`

/** Runs a block of shell as a reader pastes it into bash; stops at the first command that fails. */
export const runShell = ({ code, mark }: Block, env: Variables): Promise<Ran> =>
  run('bash', ['-e', '-c', `${CURL}${mark.client ? CLAUDE : ''}${code}`], env)

const TSC = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', 'node']

/** Writes a program under its name, checks its types, and runs it in its folder. */
export async function runTypeScript({ code, title }: Block, folder: string, env: Variables, args: string[] = []) {
  const file = join(folder, title)
  writeFileSync(file, code)
  const roots = ['--typeRoots', resolve('node_modules/@types')]
  const checked = await run(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), ...TSC, ...roots, file],
    env,
    folder,
  )
  expect(checked.code, checked.out).toBe(0)
  return run(process.execPath, ['--import', import.meta.resolve('tsx'), file, ...args], env, folder)
}

/** The standard library is all it may need: `-I` leaves everything else out. */
export function runPython({ code, title }: Block, folder: string, env: Variables, args: string[] = []) {
  const file = join(folder, title)
  writeFileSync(file, code)
  return run('python3', ['-I', file, ...args], env, folder)
}

/** Holds what a block printed to its mark. */
export function expectMark({ mark, title }: Block, { code, out, err }: Ran): void {
  const told = `${title}\n${out}\n${err}`
  expect(code, told).toBe(mark.exit)
  const statuses = [...err.matchAll(/^status=(\d{3})$/gm)].map(([, status]) => Number(status))
  if (mark.status !== undefined) expect(statuses.at(-1), told).toBe(mark.status)
  for (const text of mark.prints) {
    const pattern = /^\/(.+)\/$/.exec(text)?.[1]
    if (pattern) expect(out, title).toMatch(new RegExp(pattern))
    else expect(`${out}`, told).toContain(text)
  }
}
