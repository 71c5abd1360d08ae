import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import type { Env } from '@/lib/core/env'
import { fillIn } from '@/lib/guides/guides'
import { fenceOf, parseMarkdown } from '@/lib/guides/markdown'
import { guideSources } from '@/lib/guides/source'
import { type Ran, run, type Variables } from './programs'

/** The result that running a block must show; written in the guide after the block. */
export type Mark = {
  /** Status of curl's last request. */
  status?: number
  exit: number
  /** Texts that must be printed, or patterns between slashes. */
  prints: string[]
  /** The block configures an MCP client. */
  client: boolean
  /** The path whose response the block shows. */
  answerOf?: string
  headersOf?: string
}

export type Block = { language: string; title: string; code: string; mark: Mark }

const DIRECTIVES: [RegExp, (mark: Mark, value: string) => void][] = [
  [/^status (\d{3})$/, (mark, value) => Object.assign(mark, { status: Number(value) })],
  [/^exit (\d+)$/, (mark, value) => Object.assign(mark, { exit: Number(value) })],
  [/^prints (.+)$/, (mark, value) => mark.prints.push(value)],
  [/^(client)$/, (mark) => Object.assign(mark, { client: true })],
  [/^answer of GET (\/\S+)$/, (mark, value) => Object.assign(mark, { answerOf: value })],
  [/^headers of GET (\/\S+)$/, (mark, value) => Object.assign(mark, { headersOf: value })],
]

/** Reads a block's mark. @throws Error when the mark is missing, empty or unknown */
export function readMark(html: string | undefined, where: string): Mark {
  const lines = /^<!-- test\n([\s\S]+)\n-->\s*$/.exec(html ?? '')?.[1]?.split('\n')
  if (!lines) throw new Error(`${where}: no mark says how it is tested`)
  const mark: Mark = { exit: 0, prints: [], client: false }
  for (const line of lines) {
    const found = DIRECTIVES.map(([pattern, apply]) => ({ match: pattern.exec(line), apply })).find(
      ({ match }) => match,
    )
    if (!found) throw new Error(`${where}: nobody understands the mark "${line}"`)
    found.apply(mark, found.match?.[1] ?? '')
  }
  return mark
}

/** Returns a guide's code blocks in order, with a deployment's addresses filled in. */
export function blocksOf(slug: string, settings: Env): Block[] {
  const body = guideSources().find((guide) => guide.slug === slug)?.body ?? ''
  const tokens = parseMarkdown(fillIn(body, settings)).filter(({ type }) => type !== 'space')
  return tokens.flatMap((token, at) => {
    if (token.type !== 'code') return []
    const { language, title } = fenceOf(token.lang)
    return [{ language, title, code: token.text, mark: readMark(tokens[at + 1]?.raw, `${slug}: ${title}`) }]
  })
}

/** Runs a program that must succeed. */
async function must(command: string, args: string[], cwd?: string): Promise<string> {
  const { code, out, err } = await run(command, args, process.env, cwd)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${out}\n${err}`)
  return out.trim()
}

let built: string | undefined
/** A folder for the packages of this process. It goes with the process. */
function places(): string {
  if (built) return built
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-packages-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  built = folder
  return folder
}

const only = (folder: string, end: string): string => {
  const [name] = readdirSync(folder).filter((each) => each.endsWith(end))
  if (!name) throw new Error(`no ${end} was built in ${folder}`)
  return join(folder, name)
}

/** Packs the TypeScript client and installs it in a folder, as a reader of the guide does. Neither needs a network. */
async function installTypeScriptClient(folder: string): Promise<void> {
  await must('npm', ['pack', '--silent', '--pack-destination', places()], resolve('clients/typescript'))
  const options = ['--offline', '--no-audit', '--no-fund', '--no-save', '--silent', '--prefix', folder]
  await must('npm', ['install', ...options, only(places(), '.tgz')], folder)
}

/**
 * Builds the wheel of the Python client and installs it in an environment under a folder. It is unpacked, which is what installing a wheel
 * of Python alone means, because a machine may have no pip. @returns the environment's interpreter
 */
async function installPythonClient(folder: string): Promise<string> {
  const environment = join(folder, 'environment')
  await must('python3', ['-m', 'venv', '--without-pip', environment])
  await must('python3', [resolve('clients/python/build_wheel.py'), places()])
  const python = join(environment, 'bin/python')
  const site = await must(python, ['-I', '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'])
  mkdirSync(site, { recursive: true })
  await must('python3', ['-m', 'zipfile', '-e', only(places(), '.whl'), site])
  return python
}

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
