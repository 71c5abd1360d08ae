import { relative } from 'node:path'
import type { Line } from './lines'

/** A test that ran: its file, its full name, its project, whether it passed, and what failed, if only at first. */
export interface Ran {
  file: string
  name: string
  project: string
  passed: boolean
  error?: string | undefined
}

interface VitestReport {
  testResults: { name: string; assertionResults: { fullName: string; status: string; failureMessages?: string[] }[] }[]
}

/** Reads the tests that ran from a Vitest report. One that its file leaves out (for example with another driver) did not run. */
export function fromVitest(report: VitestReport, project: string, root: string): Ran[] {
  return report.testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        file: relative(root, path),
        name: fullName,
        project,
        passed: status === 'passed',
        error: failureMessages?.[0],
      })),
  )
}

interface Suite {
  title: string
  suites?: Suite[]
  specs: {
    title: string
    file: string
    tests: { projectName: string; status: string; results?: { error?: { message?: string; snippet?: string } }[] }[]
  }[]
}

/** Reads the tests from a Playwright report. */
export function fromPlaywright(report: { suites: Suite[] }): Ran[] {
  const of = (suite: Suite, path: string): Ran[] => [
    ...suite.specs.flatMap(({ title, file, tests }) =>
      tests.map(({ projectName, status, results }) => {
        const error = results?.find((one) => one.error)?.error
        return {
          file: `e2e/${file}`,
          name: `${path} ${title}`.trim(),
          project: projectName,
          passed: status === 'expected' || status === 'flaky',
          error: error && `${error.message}\n${error.snippet ?? ''}`,
        }
      }),
    ),
    ...(suite.suites ?? []).flatMap((inner) => of(inner, `${path} ${inner.title}`.trim())),
  ]
  return report.suites.flatMap((suite) => of(suite, ''))
}

/** A line and the results of its tests. `missing` lists expected tests that did not run; they count as failures. */
export interface Verdict {
  line: Line
  passed: number
  failed: string[]
  missing: string[]
  entries: string[]
}

/**
 * Matches each line with the tests that ran. A line holds when all of its tests passed and none is missing. Tests that stand apart are missed in
 * a whole run only.
 */
export function judge(lines: readonly Line[], ran: readonly Ran[], isWhole = true): Verdict[] {
  return lines.map((line) => {
    const found = line.shownBy.map(([file, name]) => ran.filter((test) => test.file === file && name.test(test.name)))
    const all = [...new Set(found.flat())]
    return {
      line,
      passed: all.filter(({ passed }) => passed).length,
      failed: all.filter(({ passed }) => !passed).map(({ file, name, project }) => `${file} [${project}] ${name}`),
      missing: line.shownBy
        .filter(([, , apart], i) => found[i]?.length === 0 && (isWhole || !apart))
        .map(([file, name]) => `${file} ${name}`),
      entries: ['server', 'next'].filter((entry) => all.some(({ project }) => project.startsWith(`${entry}-`))),
    }
  })
}

const held = ({ failed, missing }: Verdict) => failed.length === 0 && missing.length === 0
const ENTRY_NAMES: Record<string, string> = { server: 'npm start', next: 'next start' }

/** Returns the table for people: one row per line, followed by its failures. */
export function table(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ line }) => line.line.length))
  const rows = verdicts.flatMap((verdict) => {
    const { line, passed, failed, missing, entries } = verdict
    const through = entries.map((entry) => ENTRY_NAMES[entry]).join(', ') || 'below the entries'
    const tests = passed + failed.length > 0 ? `${passed} tests, ${through}` : 'with `npm run test:all`'
    return [
      `${held(verdict) ? 'ok  ' : 'FAIL'}  ${line.line.padEnd(width)}  ${line.promise}`,
      `      ${''.padEnd(width)}  ${tests}: ${[...new Set(line.shownBy.map(([file]) => file))].join(', ')}`,
      ...(line.beside ? [`      ${''.padEnd(width)}  ${line.beside}`] : []),
      ...failed.map((what) => `      ${''.padEnd(width)}  failed: ${what}`),
      ...missing.map((what) => `      ${''.padEnd(width)}  no test matches: ${what}`),
    ]
  })
  return rows.join('\n')
}

/** Counts the lines that hold and those that do not. */
export const count = (verdicts: readonly Verdict[]) => ({
  passed: verdicts.filter(held).length,
  failed: verdicts.filter((verdict) => !held(verdict)).length,
})

/** Returns what failed, for people: each test with the first lines of its error. A test that passed when it was tried again is named too. */
export function failures(ran: readonly Ran[]): string {
  return ran
    .filter(({ error }) => error !== undefined)
    .map(({ file, name, project, passed, error = '' }) => {
      const lines = error.split('\n').slice(0, 25)
      return [`${passed ? 'passed at the second try' : 'FAILED'}: ${file} [${project}] ${name}`, ...lines].join(
        '\n    ',
      )
    })
    .join('\n')
}
