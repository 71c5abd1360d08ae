import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CsvColumn } from './csv'
import { FILTER_NAMES, RESOURCES } from './registry'
import { SCOPES_WITH_TEXTS } from './scope-texts'

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
    const places = columns.map((column) => text.search(new RegExp(`[|,/r] ${told(column).replaceAll('*', '\\*')}[ ,]`)))
    expect(columns.filter((_, i) => (places[i] ?? -1) < 0).map(told), 'columns that are missing there').toEqual([])
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

test('the README names the files that a new resource takes, and each is there for every resource', () => {
  const recipe = /A new kind of record takes five files[\s\S]+?\n\nNext needs/.exec(read('README.md'))?.[0] ?? ''
  const files = [...recipe.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path = '']) => path)
  expect(files).toEqual([
    'lib/core/resource-names.ts',
    'lib/resources/<noun>.ts',
    'lib/resources/registry.ts',
    'db/schema/<noun>.ts',
    'db/schema/index.ts',
  ])
  // As the last resource that was added has them; older ones have tables named by the specification.
  for (const path of files) expect(read(path.replace('<noun>', 'estimates'))).toMatch(/estimates/)
})

/**
 * Our sources under a folder; not tests, nor the demonstration, which make records rather than know what they are, nor connectors, which
 * know what objects of other software become, nor the mapping of files, which knows what people call their columns.
 */
const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (path) =>
        /\.tsx?$/.test(path) && !/\.test\.ts$|testing|^db\/demo\/|^lib\/(?:connectors|load\/mapping)\//.test(path),
    )

test('no other file of the service names the resource that was added last, but for its routes', () => {
  const named = ['lib', 'app', 'db']
    .flatMap(sourcesOf)
    .filter((path) => /['/]estimates\b|_estimates?\b|[a-z]Estimates?\b|read:estimates/.test(read(path)))
  expect(named.sort()).toEqual([
    'app/api/v1/estimates/[id]/route.ts',
    'app/api/v1/estimates/checksum/route.ts',
    'app/api/v1/estimates/route.ts',
    'app/api/v1/export/estimates/route.ts',
    'db/schema/estimates.ts',
    'db/schema/index.ts',
    'lib/core/resource-names.ts',
    'lib/resources/estimates.ts',
    'lib/resources/registry.ts',
  ])
})
