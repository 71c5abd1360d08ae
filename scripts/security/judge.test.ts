import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { count, failures, fromPlaywright, fromVitest, judge, table } from './judge'
import { LINES } from './lines'

const line = { line: 'A 1', promise: 'holds', shownBy: [['a.test.ts', /door is shut/]] as const }
const ran = (passed: boolean) => ({ file: 'a.test.ts', name: 'the door is shut', project: 'unit', passed })

describe('the table of security', () => {
  test('a line passes when all of its tests passed', () => {
    expect(count(judge([line], [ran(true)]))).toEqual({ passed: 1, failed: 0 })
    expect(count(judge([line], [ran(true), ran(false)]))).toEqual({ passed: 0, failed: 1 })
  })

  test('a line whose test is missing fails, and the table names it', () => {
    const verdicts = judge([line], [{ ...ran(true), file: 'b.test.ts' }])
    expect(count(verdicts)).toEqual({ passed: 0, failed: 1 })
    expect(table(verdicts)).toContain('no test matches: a.test.ts /door is shut/')
  })

  test('a test that stands apart is missed in a whole run only, and the table says where it runs', () => {
    const apart = { ...line, shownBy: [['a.test.ts', /door is shut/, 'apart']] as const }
    expect(count(judge([apart], []))).toEqual({ passed: 0, failed: 1 })
    expect(count(judge([apart], [], false))).toEqual({ passed: 1, failed: 0 })
    expect(table(judge([apart], [], false))).toContain('with `npm run test:all`: a.test.ts')
    expect(count(judge([apart], [ran(false)], false))).toEqual({ passed: 0, failed: 1 })
  })

  test('both reports are read into the same structure', () => {
    const unit = {
      testResults: [{ name: '/r/a.test.ts', assertionResults: [{ fullName: 'the door is shut', status: 'passed' }] }],
    }
    expect(fromVitest(unit, 'unit', '/r')).toEqual([ran(true)])
    const spec = { title: 'is shut', file: 'a.spec.ts', tests: [{ projectName: 'next-pglite', status: 'unexpected' }] }
    const report = { suites: [{ title: 'a.spec.ts', specs: [], suites: [{ title: 'the door', specs: [spec] }] }] }
    expect(fromPlaywright(report)).toEqual([
      { file: 'e2e/a.spec.ts', name: 'the door is shut', project: 'next-pglite', passed: false },
    ])
  })

  test('what failed is told with its error, and so is what passed at the second try', () => {
    const error = { message: 'the door is open', snippet: '> 12 | expect(door)' }
    const tests = [
      { projectName: 'next-pglite', status: 'flaky', results: [{ error }, {}] },
      { projectName: 'server-pglite', status: 'unexpected', results: [{ error }, { error }] },
      { projectName: 'server-pg', status: 'expected', results: [{}] },
    ]
    const told = failures(
      fromPlaywright({ suites: [{ title: '', specs: [{ title: 'is shut', file: 'a.ts', tests }] }] }),
    )
    expect(told).toContain('passed at the second try: e2e/a.ts [next-pglite] is shut\n    the door is open')
    expect(told).toContain('FAILED: e2e/a.ts [server-pglite]')
    expect(told).not.toContain('server-pg]')
    expect(failures([ran(true)])).toBe('')
  })

  test.each(LINES.flatMap(({ line, shownBy }) => shownBy.map(([file, name]) => [line, file, name] as const)))(
    '%s: %s has a title for %s',
    (_, file, name) => {
      expect(
        readFileSync(file, 'utf8')
          .split('\n')
          .some((text) => name.test(text)),
      ).toBe(true)
    },
  )
})
