import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from '@/lib/testing/sources'

/** Variables of modules that may differ between the copies of a module in a process, each with its reason. */
const ALLOWED: Record<string, string> = {
  'lib/auth/scopes.ts ENTRY_SCOPES': 'a constant',
  'lib/core/ids.ts used': 'random bytes drawn ahead; each copy draws its own',
  'lib/core/ids.ts pool': 'the same bytes',
  'lib/core/ids.ts present': 'the text of the present millisecond, which any copy makes alike',
  'lib/core/time.ts FIRST': 'a constant',
  'lib/core/time.ts LATEST': 'a constant',
  'lib/leads/body.ts LATIN': 'a constant',
  'lib/leads/sources/form.ts OF_PERSON': 'a constant',
  'lib/load/fetch/key-agent.ts key': 'a variable of the program that a thread runs',
  'lib/mcp/apps.ts kept': 'the views as they were built, alike in every copy',
  'lib/operations/execute.ts NOTHING_ABOUT': 'a constant',
  'lib/operations/execute.ts made': 'the ranges of a schema, alike in every copy',
  'lib/operations/shape.ts NONE': 'a constant',
  'lib/sync/webhooks/events.ts SINGULARS': 'a constant',
  'lib/mcp/listed-tools.ts listed': 'lists of tools by scopes, alike in every copy',
  'lib/mcp/result-text.ts kept': 'texts of the lists above, alike in every copy',
  'lib/mcp/stateless-engine.ts callers': 'hands a caller from a request to its own tools, within one copy',
}

/** Reports whether a value is built from constants in the same file; a collection qualifies only if nothing in its file writes to it. */
const isConstant = (declaration: string, name: string, text: string) =>
  /^const \w+(: [^=]+)? = new (RegExp|Intl\.\w+)\(/.test(declaration) ||
  (/ = new (Map|Set)\((?!\))/.test(declaration) && !new RegExp(`\\b${name}\\.(set|add|delete|clear)\\(`).test(text))

/** The state that a module keeps: `let`, an object of a class, an empty list or record. */
const KEPT = /^(?:export )?((?:let|var) (\w+)|const (\w+)(?:: [^=]+)? = (?:new |\[\]|\{\}).*)/gm

/** Names of what the modules of a text keep in variables, which two copies of it would keep twice. */
function straysOf(text: string): string[] {
  return [...text.matchAll(KEPT)].flatMap(([, declaration = '', variable, constant]) => {
    const name = variable ?? constant ?? ''
    return isConstant(declaration, name, text) ? [] : [name]
  })
}

const found = sourceFiles()
  // Browser code runs in its own process.
  .filter((path) => !/\.client\.tsx?$|^lib\/portal\//.test(path))
  .flatMap((path) => straysOf(readFileSync(path, 'utf8')).map((name) => `${path} ${name}`))

test('per-process state is shared, not a module variable', () => {
  expect(found.filter((name) => !(name in ALLOWED))).toEqual([])
})

test('every listed exception still exists', () => {
  expect(Object.keys(ALLOWED).filter((name) => !found.includes(name))).toEqual([])
})

test('only `shared` stores anything on the global object', () => {
  const own = sourceFiles().filter((path) =>
    /globalThis[.[]|globalThis,|Symbol\.for\('plumbline/.test(readFileSync(path, 'utf8')),
  )
  expect(own.filter((path) => !/\.client\.tsx?$/.test(path))).toEqual(['lib/core/shared.ts'])
})

test.each([
  'let asked: Promise<number> | undefined',
  'export const cache = new LRUCache({ max: 5 })',
  'const seen = new Set<string>()',
  'const listed = new Map<string, string>()',
  "const known = new Set(['a'])\nknown.add('b')",
  'const waiting: string[] = []',
  'const counts: Record<string, number> = {}',
  'var old = 1',
])('%s is found', (text) => expect(straysOf(text)).toHaveLength(1))

test.each(["const KINDS = new Set(['a'])", "const EACH = new RegExp('a', 'g')", 'function f() {\n  let inside = 1\n}'])(
  '%s is not',
  (text) => expect(straysOf(text)).toEqual([]),
)
