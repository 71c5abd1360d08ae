import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { identifierOf } from '@/lib/core/resource-names'
import { pascal } from '@/lib/http/openapi/schema'
import { completed, DOCUMENTS } from '@/scripts/resource-documents'
import type { CsvColumn } from './csv'
import type { Resource } from './define'
import { FILTER_NAMES, RESOURCES } from './registry'
import { SCOPES_WITH_TEXTS } from './scope-texts'

/** The resource that was added last. */
const [LAST] = RESOURCES.slice(-1) as [Resource]

// Documents for people are written by hand; their tables must say what the definitions say.
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The cells of the table row that begins with this code, without the space that lines columns up. */
function row(path: string, code: string): string {
  const line = read(path)
    .split('\n')
    .find((each) => each.startsWith(`| \`${code}\``) || (each.startsWith('| `') && each.includes(`, \`${code}\``)))
  if (line === undefined) throw new Error(`${path} has no table row for ${code}`)
  return line.replace(/ +/g, ' ')
}

/** A column as in docs/loading.md: bold when required, followed by its alternative names. */
const told = ({ headers: [header], required }: CsvColumn) => (required ? `**${header}**` : header)

test.each(RESOURCES.map(({ csv }) => [csv.file, csv] as const))(
  'docs/loading.md tells the columns of %s, in their order',
  (file, { columns }) => {
    const text = row('docs/loading.md', file)
    const own = columns.filter(({ alsoOf }) => alsoOf === undefined)
    const places = own.map((column) => text.search(new RegExp(`[|,/r] ${told(column).replaceAll('*', '\\*')}[ ,]`)))
    expect(own.filter((_, i) => (places[i] ?? -1) < 0).map(told), 'columns that are missing there').toEqual([])
    expect(places).toEqual([...places].sort((a, b) => a - b))
  },
)

test.each(SCOPES_WITH_TEXTS)('docs/keys.md tells what $id lets a key do', ({ id, text }) => {
  expect(row('docs/keys.md', id)).toContain(`${text.charAt(0).toLowerCase()}${text.slice(1)} |`)
})

test.each(RESOURCES.map(({ name, scope }) => [name, scope] as const))(
  'guides and the README name the list of %s and its scope',
  (name, scope) => {
    for (const path of ['docs/guides/reading-data.md', 'README.md']) expect(read(path)).toContain(`\`/${name}\``)
    expect(read('docs/guides/authentication.md')).toContain(`\`${scope}\``)
  },
)

test.each(FILTER_NAMES)('the guide Reading data tells which lists take %s', (filter) => {
  const text = row('docs/guides/reading-data.md', filter)
  for (const { name, filters } of RESOURCES) {
    // "records of a customer" are those of every list that takes customerId.
    if (filter === 'customerId') continue
    expect([name, text.includes(name)]).toEqual([name, filter in filters])
  }
})

test.each(Object.keys(DOCUMENTS))(
  '%s lacks nothing of a resource: `npm run documents` would change nothing',
  (path) => {
    expect(completed(path, read(path))).toBe(read(path))
  },
)

test('npm run documents adds the rows of a resource that documents lack', () => {
  for (const [path, code] of [
    ['docs/keys.md', LAST.scope],
    ['docs/loading.md', LAST.csv.file],
  ] as const) {
    const lacking = read(path).replace(new RegExp(`\n\\| \`${code}\`.*`), '')
    expect(lacking).not.toBe(read(path))
    expect(completed(path, lacking)).toContain(`\n| \`${code}\` |`)
  }
  const lacking = read('README.md').replace(`, \`/${LAST.name}\``, '')
  expect(completed('README.md', lacking)).toBe(read('README.md'))
})

test('the README names the files that a new resource takes, and each is there for every resource', () => {
  const recipe = /A new kind of record takes five files[\s\S]+?\n\nIt needs no route/.exec(read('README.md'))?.[0] ?? ''
  const files = [...recipe.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path = '']) => path)
  expect(files).toEqual([
    'lib/core/resource-names.ts',
    'lib/resources/<noun>.ts',
    'lib/resources/registry.ts',
    'db/schema/<noun>.ts',
    'db/schema/index.ts',
  ])
  // As the last resource that was added has them; older ones have tables named by the specification.
  for (const path of files)
    expect(read(path.replace('<noun>', LAST.name))).toMatch(new RegExp(LAST.name.replaceAll('-', '[-_]')))
})

/**
 * Lists our sources under a folder; not tests, nor the demonstration, which make records rather than know what they are, nor connectors,
 * which know what objects of other software become, nor the mapping of files and the documents in them, which know what people call these.
 */
const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (path) =>
        /\.tsx?$/.test(path) &&
        !/\.test\.ts$|testing|^db\/demo\/|^lib\/(?:connectors\/|load\/(?:mapping\/|documents))/.test(path),
    )

/** What may know it all the same: a record is shown with what belongs to it, in an order that people chose. */
const MORE = [
  // A drawing and other words for it, where it has some.
  'app/ui/navigation.ts',
  // A prompt asks for what waits for an answer.
  'lib/mcp/prompts.ts',
  'app/(portal)/customers/[id]/page.tsx',
  'app/(portal)/customers/[id]/story.tsx',
  'app/(portal)/projects/[id]/page.tsx',
  'lib/operations/desk/view-customer.ts',
  'lib/operations/desk/view-project.ts',
]

test('no other file of the service names the resource that was added last', () => {
  const { name, singular } = LAST
  const [several, one] = [identifierOf(name), identifierOf(singular)]
  const names = new RegExp(
    `['/](?:${name}|${several})\\b|_(?:${several}|${one})\\b|[a-z](?:${pascal(several)}|${pascal(one)})\\b|read:${name}`,
  )
  const named = ['lib', 'app', 'db'].flatMap(sourcesOf).filter((path) => names.test(read(path)))
  const may = [
    ...MORE,
    `db/schema/${name}.ts`,
    'db/schema/index.ts',
    'lib/core/resource-names.ts',
    `lib/resources/${name}.ts`,
    'lib/resources/registry.ts',
  ]
  expect(named.filter((path) => !may.includes(path))).toEqual([])
})
