import { expect, test } from 'vitest'
import { patternsIn, slowAmong } from './testing/patterns'
import { sourceFiles } from './testing/sources'

/** A pattern that the checker cannot tell to be linear: the text it meets, the most of it in characters, and where that is cut. */
type Allowed = { file: string; pattern: string; most: number; cut: string }

const ALLOWED: Allowed[] = [
  {
    file: 'lib/core/log-safe.ts',
    pattern: String.raw`/[^\s@"'<>(),;:/\\]{1,64}@[^\s@"'<>(),;:/\\]{1,255}\.\p{L}[\p{L}\d-]{1,62}/gu`,
    most: 2_000,
    cut: '`safeText` reads four times what it returns; each part is bounded too',
  },
]

/** Patterns that are only known when they run. */
const BUILT_LATER: Allowed[] = [
  {
    file: 'app/ui/highlight.ts',
    pattern: `new RegExp(grammar.map(([, { source }]) => \`(\${source})\`).join('|'), 'gm')`,
    most: 1_000_000,
    cut: 'its alternatives are checked each; lib/worst-case.test.ts runs them joined',
  },
  {
    file: 'lib/portal/form-values.ts',
    pattern: "new RegExp(pattern, 'u')",
    most: 100_000,
    cut: 'patterns of our own schemas, which are checked where they are written; runs in the browser of whoever typed the text',
  },
]

const patterns = sourceFiles().flatMap((file) => patternsIn(file))

test('every pattern of the product takes time that grows with its text only', async () => {
  const others = patterns.filter(({ file, text }) => !ALLOWED.some((it) => it.file === file && it.pattern === text))
  expect(others.length).toBeGreaterThan(500)
  expect(await slowAmong(others)).toEqual([])
}, 600_000)

test('a pattern that is only known when it runs is on the list', () => {
  const unknown = patterns
    .filter(({ source }) => source === undefined)
    .map(({ file, text }) => ({ file, pattern: text }))
  expect(unknown).toEqual(BUILT_LATER.map(({ file, pattern }) => ({ file, pattern })))
})

test('the list of slow patterns has none that is gone', () => {
  for (const { file, pattern } of ALLOWED)
    expect(patterns).toContainEqual(expect.objectContaining({ file, text: pattern }))
})

test('the checker finds what is slow, on a match and on a search, however it is written', async () => {
  const code = [
    'const WHITE = "[\\\\uFEFF\\\\s]"',
    'export const [a, b] = [/^(?:\\uFEFF|\\s)*<html/i, text.replace(/[:\\s]+$/, "")]',
    'export const c = <p>{text.split(/\\s*;\\s*/)}</p>',
    `export const d = z.string().regex(new RegExp(\`^(?:\${WHITE}|a)*\${WHITE}*x\`, "u"))`,
    'export const e = text.match("a+$")',
    'export const safe = [/^a+$/, text.match("a+b?"), "x".match(/a{1,3}/)]',
  ].join('\n')
  const slow = await slowAmong(patternsIn('example.tsx', code))
  expect(slow.map((each) => each.split(' is ')[0]).sort()).toEqual(
    ['/^(?:\\uFEFF|\\s)*<html/i', '/[:\\s]+$/', '/\\s*;\\s*/', '/^(?:[\\uFEFF\\s]|a)*[\\uFEFF\\s]*x/u', '/a+$/']
      .map((pattern) => `example.tsx: ${pattern}`)
      .sort(),
  )
}, 120_000)
