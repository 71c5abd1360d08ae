import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BENCHES, type Bench } from './benches'
import type { Figure } from './figures'
import { machineHere, postgresHere } from './machine'
import { type Result, reportOf } from './report'

/** The committed report; the short form and a choice of benches leave it alone. */
const REPORT = 'bench/report.md'
const SHORT_REPORT = 'artifacts/bench-short.md'
const SOME_REPORT = 'artifacts/bench.md'
/** Passed and failed benches of the short form, for `npm test`. */
const SHORT_TOTALS = 'artifacts/bench-short.json'

/** A bench that takes longer hangs. In milliseconds. */
const LONGEST = { short: 300_000, whole: 3_600_000 }

/** The bench that runs, which must not outlive this process. */
let running: number | undefined
const killGroup = (pid: number | undefined) => {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
process.once('exit', () => killGroup(running))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

function figuresIn(file: string): Figure[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  // JSON has no NaN: a figure that was not measured is null there.
  return lines.map((line) => JSON.parse(line)).map((figure) => ({ ...figure, value: figure.value ?? Number.NaN }))
}

/** Runs a bench in a process of its own, and ends what it left running. */
async function runAlone(name: string, args: string[], longest: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-figures-'))
  const file = join(folder, 'figures.jsonl')
  const began = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/main.ts', name, ...args], {
    // A group of its own, with the servers it starts.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BENCH_FIGURES: file },
  })
  running = child.pid
  let printed = ''
  const keep = (text: string) => {
    printed += text
    process.stdout.write(text)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const closed = new Promise((done) => child.once('close', done))
  const timer = setTimeout(() => {
    keep(`\nended after ${longest / 1000} s\n`)
    killGroup(child.pid)
  }, longest)
  const code = await new Promise((done) => child.once('exit', done))
  clearTimeout(timer)
  killGroup(child.pid)
  await closed
  running = undefined
  const figures = figuresIn(file)
  rmSync(folder, { recursive: true })
  const command = ['npm run bench --', name, ...args].join(' ')
  const seconds = (performance.now() - began) / 1000
  // Where the project lies says nothing about it.
  const text = printed.replaceAll(`${process.cwd()}/`, '')
  return { name, command, seconds, outcome: code === 0 ? 'passed' : 'failed', figures, printed: text }
}

/** Returns a bench's arguments, or why it does not run. */
function planOf({ postgresOnly, whole = [], short }: Bench, isShort: boolean, hasPostgres: boolean): string[] | string {
  if (postgresOnly && !hasPostgres) return 'It needs a Postgres: TEST_POSTGRES_URL.'
  if (isShort) return short ? short(hasPostgres ? 'pg' : 'pglite') : 'It has no short form.'
  return [...whole, ...(hasPostgres ? [] : ['pglite'])]
}

const notRun = (name: string, why: string): Result => ({
  ...{ name, command: `npm run bench -- ${name}`, seconds: 0, outcome: 'not run', figures: [], printed: why },
})

/** The benches to run: all of them, or those that are named. @throws Error when a name is none of a bench */
function chosen(names: string[]): [string, Bench][] {
  const unknown = names.filter((name) => !(name in BENCHES))
  if (unknown.length > 0) throw new Error(`There is no bench ${unknown.join(', ')}.`)
  return Object.entries(BENCHES).filter(([name]) => names.length === 0 || names.includes(name))
}

/** Takes `--until <moment>` out of the arguments: epoch milliseconds after which no further bench begins. */
function endOf(args: string[]): number {
  const at = args.indexOf('--until')
  return at < 0 ? Number.POSITIVE_INFINITY : Number(args.splice(at, 2)[1])
}

/** Prints how long each took, and how many passed and failed, which it returns. */
function sumUp(results: Result[], report: string): { passed: number; failed: number } {
  console.log('\n— time')
  for (const { name, seconds, outcome } of results)
    console.log(`${seconds.toFixed(0).padStart(6)} s  ${name}${outcome === 'passed' ? '' : `: ${outcome}`}`)
  const countOf = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  const totals = { passed: countOf('passed'), failed: countOf('failed') }
  console.log(`\n${totals.passed} passed, ${totals.failed} failed: ${report}`)
  return totals
}

/**
 * Runs `npm run bench -- all [--short] [--until moment] [names…]`: every bench, or those that are named, one after another, and writes one
 * report. A bench that fails does not keep the others from running; the exit code is then 1.
 */
export async function run(args: string[]): Promise<void> {
  const end = endOf(args)
  const isShort = args.includes('--short')
  const names = args.filter((arg) => arg !== '--short')
  const benches = chosen(names)
  const postgres = await postgresHere()
  const machine = machineHere(postgres)
  const report = isShort ? SHORT_REPORT : names.length > 0 ? SOME_REPORT : REPORT
  mkdirSync('artifacts', { recursive: true })
  const results: Result[] = []
  for (const [name, bench] of benches) {
    console.log(`\n— ${name}`)
    const isLate = Date.now() > end
    const plan = isLate ? 'The time for this run is over.' : planOf(bench, isShort, postgres !== undefined)
    if (typeof plan === 'string') console.log(`  not run: ${plan}`)
    const longest = isShort ? LONGEST.short : LONGEST.whole
    results.push(typeof plan === 'string' ? notRun(name, plan) : await runAlone(name, plan, longest))
    // After each, so that a run that is stopped leaves what it has.
    writeFileSync(report, reportOf(results, machine, isShort))
  }
  const totals = sumUp(results, report)
  if (isShort) writeFileSync(SHORT_TOTALS, JSON.stringify(totals))
  if (totals.failed > 0) process.exitCode = 1
}
