import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CsvColumn } from '@/lib/resources/csv'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'

/**
 * Adds to the documents what they lack of a resource: its list, scope, filters and the columns of its file, each behind those of the resource
 * before it. What is there stays as it is worded. `npm run documents` runs it.
 */

const root = join(import.meta.dirname, '..')

/** Adds a text to the end of a list in the first line that a pattern matches, where the line does not have it yet. */
function inLine(text: string, line: RegExp, before: string, added: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((each) => line.test(each))
  const found = lines[at]
  if (found === undefined || found.includes(added)) return text
  lines[at] = found.includes(` and ${before}`)
    ? found.replace(` and ${before}`, `, ${before} and ${added}`)
    : found.replace(before, `${before}, ${added}`)
  return lines.join('\n')
}

/** Adds a row of a table behind the row that begins with some code. */
function inTable(text: string, before: string, code: string, cells: string): string {
  if (text.includes(`\n| \`${code}\``)) return text
  return text.replace(new RegExp(`\\n\\| \`${before}\`.*`), (row) => `${row}\n| \`${code}\` | ${cells} |`)
}

/** A column of a file: bold when required, with its other names, and the words of an enumeration. */
function told({ headers: [header, ...others], required, cell, blank }: CsvColumn): string {
  const words = typeof cell === 'object' && 'oneOf' in cell ? Object.keys(cell.oneOf) : []
  const rest = words.filter((word) => word !== blank).join(', ')
  const aside = [others.join(', '), blank === undefined ? rest : `${blank} when blank; ${rest}`].filter(Boolean)
  return `${required ? `**${header}**` : header}${aside.length > 0 ? ` (${aside.join('; ')})` : ''}`
}

type Added = (text: string, resource: Resource, before: Resource) => string

/** Documents, and what is added to them of a resource. */
export const DOCUMENTS: Record<string, Added> = {
  'README.md': (text, { name, csv }, before) =>
    inLine(
      inLine(text, /^# Lists are/, `\`/${before.name}\``, `\`/${name}\``),
      /^`\.\/export` holds/,
      `\`${before.csv.file}\``,
      `\`${csv.file}\``,
    ),
  'docs/keys.md': (text, { scope, scopeText }, before) =>
    inTable(text, before.scope, scope, scopeText.charAt(0).toLowerCase() + scopeText.slice(1)),
  'docs/loading.md': (text, { csv }, before) =>
    inTable(
      text,
      before.csv.file,
      csv.file,
      csv.columns
        .filter(({ alsoOf }) => alsoOf === undefined)
        .map(told)
        .join(', '),
    ),
  'docs/guides/authentication.md': (text, { scope }, before) =>
    inLine(text, /^\| `read:customers`/, `\`${before.scope}\``, `\`${scope}\``),
  'docs/guides/reading-data.md': (text, { name, filters }, before) =>
    Object.keys(filters)
      .filter((filter) => filter !== 'customerId')
      .reduce(
        (told, filter) => inLine(told, new RegExp(`^\\| \`.*\`${filter}\`|^\\| \`${filter}\``), before.name, name),
        inLine(text, /^The lists are/, `\`/${before.name}\``, `\`/${name}\``),
      ),
}

/** Returns a document with everything that it must say of each resource. */
export const completed = (path: string, text: string): string =>
  RESOURCES.slice(1).reduce((done, resource, at) => {
    const before = RESOURCES[at]
    return before ? (DOCUMENTS[path]?.(done, resource, before) ?? done) : done
  }, text)

if (import.meta.filename === process.argv[1])
  for (const path of Object.keys(DOCUMENTS)) {
    const text = readFileSync(join(root, path), 'utf8')
    const whole = completed(path, text)
    if (whole === text) continue
    writeFileSync(join(root, path), whole)
    console.log(`${path} is complete`)
  }
