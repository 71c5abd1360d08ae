import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import type { Block } from './blocks'
import { installPythonClient, installTypeScriptClient } from './packages'
import { type Ran, run, type Variables } from './programs'

/** Replaces curl in the block with one that also reports the status. */
const CURL = `curl() { command curl -sS -w '%{stderr}\\nstatus=%{http_code}\\n' "$@"; }\n`

/** Replaces the Claude Code command line with one that prints its arguments. */
const CLAUDE = `claude() { printf '%s\\n' "$@"; }\n`

/** Runs a shell block as if pasted into bash, and stops at the first command that fails. */
export const runShell = ({ code, mark }: Block, env: Variables, cwd?: string): Promise<Ran> =>
  run('bash', ['-e', '-c', `${CURL}${mark.client ? CLAUDE : ''}${code}`], env, cwd)

const TSC = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', 'node']

/** Saves a program under its name, beside our client where it names it. */
async function saveTypeScript({ code, title }: Block, folder: string): Promise<string> {
  const file = join(folder, title)
  writeFileSync(file, code)
  const isMissing = !existsSync(join(folder, 'node_modules/@plumbline/client'))
  if (code.includes("from '@plumbline/client'") && isMissing) await installTypeScriptClient(folder)
  return file
}

/** Checks the types of a program. */
export async function checkTypeScript(block: Block, folder: string, env: Variables): Promise<void> {
  const file = await saveTypeScript(block, folder)
  const roots = ['--typeRoots', resolve('node_modules/@types')]
  const checked = await run(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), ...TSC, ...roots, file],
    env,
    folder,
  )
  expect(checked.code, checked.out).toBe(0)
}

/** Runs a program in its folder. */
export async function runTypeScript(block: Block, folder: string, env: Variables, args: string[] = []): Promise<Ran> {
  const file = await saveTypeScript(block, folder)
  return run(process.execPath, ['--import', import.meta.resolve('tsx'), file, ...args], env, folder)
}

/** Runs with the standard library only, and with our client where the program names it; `-I` excludes everything else. */
export async function runPython({ code, title }: Block, folder: string, env: Variables, args: string[] = []) {
  const file = join(folder, title)
  writeFileSync(file, code)
  const python = code.includes('from plumbline import') ? await installPythonClient(folder) : 'python3'
  return run(python, ['-I', file, ...args], env, folder)
}

/** Checks a block's output against its mark. */
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
