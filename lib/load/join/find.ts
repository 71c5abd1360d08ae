import { extname } from 'node:path'
import { ServiceError } from '@/lib/core/errors'
import type { FileKind } from '../columns'
import { assignments, mappingFrom } from '../mapping/build'
import type { Chosen, KeptMapping } from '../mapping/propose'
import { shapeOf } from '../mapping/shape'
import { cut, FileProblem } from '../report'
import type { Mapping } from '../sources/mapping'
import { recognize } from '../sources/recognize'
import { openTable } from '../tables/open'
import type { Table } from '../tables/table'
import type { JoinedFile } from './names'
import { type Said, survey } from './survey'
import { type Finding, fits, proposeFor, type Taken, take } from './taken'

const ENDINGS = ['.csv', '.tsv', '.txt', '.tab', '.iif', '.xlsx']

/** Whether a file's name says that it may be a table. */
export const mayBeTable = (name: string): boolean => ENDINGS.includes(extname(name).toLowerCase())

/** A mapping that was made for this file, to be kept. */
export type MadeMapping = { shape: string; mapping: KeptMapping }

/**
 * A file of a folder that is not read as one of ours as it is: recognized and read through once; ours in another form (`own` is its name among ours);
 * or why it cannot be used.
 */
export type FoundFile = { name: string; path: string } & (
  | { joined: JoinedFile; leftOut: Map<string, number>; made?: MadeMapping; rules?: string[] }
  | { own: string; table: Table }
  | { problem: string; isRecognized: boolean }
)

const listed = (header: string[]) => header.filter(Boolean).slice(0, 20).map(cut).join(', ') || 'none'

/** Whether our own reader reads a file: comma-separated UTF-8 with the header on its first line. */
const isPlain = ({ format }: Table) =>
  format.kind === 'text' && format.encoding === 'utf-8' && format.delimiter === ',' && format.headerRow === 1

/** Where a file lies, and the one of ours that it is called as. */
type Place = { name: string; path: string; own: FileKind | undefined }

/** A payment's method is also kept as it is written. */
function withDetail(mapping: Mapping): Mapping {
  const { payments } = mapping.fills
  if (payments?.method === undefined || (typeof payments.method === 'object' && 'text' in payments.method))
    return mapping
  return { ...mapping, fills: { ...mapping.fills, payments: { methodDetail: payments.method, ...payments } } }
}

/** Reads a table through by a mapping. */
async function joinedBy({ name, path }: Place, table: Table, mapping: Mapping, said: Said) {
  const { notation, leftOut } = await survey(mapping, table, said)
  return { name, path, joined: { mapping: withDetail(mapping), table, notation }, leftOut }
}

/** Maps a table by what its columns look like, what is kept for its shape, and what a person chose. */
async function mapped(place: Place, table: Table, finding: Finding, kept?: KeptMapping): Promise<FoundFile> {
  const { map, dates = kept?.dates } = finding
  if (!map) {
    const how =
      'See what they could be with `plumbline load inspect`, and map them with --map "Column=field" or --save-map.'
    const problem = `The file is not recognized. Its columns are: ${listed(table.header)}. ${how}`
    return { name: place.name, path: place.path, isRecognized: false, problem }
  }
  const chosen = [...map.filter(({ file = place.name }) => file === place.name), ...(kept?.columns ?? [])]
  const columns = (await proposeFor(table, chosen)).map(({ column, field }) => ({ column, field }))
  const mapping: KeptMapping = { columns, ...(dates && { dates }) }
  const joined = await joinedBy(place, table, mappingFrom(mapping), { ...finding, dates })
  return { ...joined, made: { shape: shapeOf(table.header), mapping }, rules: assignments(columns) }
}

/** Reads a table through as what it was taken for; undefined where our own reader is to read it, because it is called as one of ours. */
async function read(place: Place, table: Table, taken: Taken, finding: Finding): Promise<FoundFile | undefined> {
  const { path, name, own } = place
  if (taken.as === 'ours') return own && isPlain(table) ? undefined : { name, path, own: taken.kind.file, table }
  if (taken.as === 'stranger') return own && !finding.map ? undefined : await mapped(place, table, finding)
  if (taken.as === 'kept') {
    const { kept } = taken
    if (finding.map) return await mapped(place, table, finding, kept)
    const said = { ...finding, dates: finding.dates ?? kept.dates }
    return { ...(await joinedBy(place, table, mappingFrom(kept), said)), rules: assignments(kept.columns) }
  }
  const { mapping, others } = taken
  if (others.length > 0)
    throw new FileProblem(
      `The file has the columns of ${[`${mapping.source} ${mapping.file}`, ...others].join(' and of ')}. Remove those of one.`,
    )
  return await joinedBy(place, table, mapping, finding)
}

/** Opens a file, says what it is and decides what only the whole of it shows. @returns undefined where our own reader is to read it */
async function find(place: Place, kinds: readonly FileKind[], finding: Finding): Promise<FoundFile | undefined> {
  const { path, name, own } = place
  let isRecognized = false
  try {
    const knows = (cells: string[]) => (own !== undefined && fits(own, cells)) || recognize(cells) !== undefined
    const table = await openTable({ path, name }, knows)
    if (own && isPlain(table) && fits(own, table.header)) return undefined
    const taken = await take(table, kinds, finding)
    isRecognized = taken.as !== 'stranger' || finding.map !== undefined
    return await read(place, table, taken, finding)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    // Our own reader says what is wrong with one of our files.
    return own && !isRecognized ? undefined : { name, path, isRecognized, problem: error.message }
  }
}

/** @throws ServiceError `bad_request` when a column that a person chose a field for is in none of the files that are mapped */
function requireColumns(found: FoundFile[], map: readonly Chosen[] = []): void {
  const columns = found.flatMap((each) => ('made' in each ? (each.made?.mapping.columns ?? []) : []))
  const names = new Set(columns.map(({ column }) => column.trim().toLowerCase()))
  const missing = map.filter(({ column }) => !names.has(column.trim().toLowerCase())).map(({ column }) => column)
  if (missing.length === 0 || found.some((each) => 'problem' in each && each.isRecognized)) return
  const there =
    columns.length === 0
      ? 'No file is mapped: each was recognized'
      : `The columns are ${listed(columns.map(({ column }) => column))}`
  throw new ServiceError(
    'bad_request',
    `--map names the column ${missing.join(', ')}, which no file has that is mapped. ${there}.`,
  )
}

/** Whether another file of the folder is the same one of ours. */
const isSecond = (
  each: FoundFile,
  found: FoundFile[],
  files: ReadonlyMap<string, string>,
): each is FoundFile & { own: string } =>
  'own' in each &&
  (found.find((other) => 'own' in other && other.own === each.own) !== each ||
    (files.has(each.own) && !found.some(({ name }) => name === each.own)))

const second = ({ name, path, own }: FoundFile & { own: string }): FoundFile => ({
  name,
  path,
  isRecognized: true,
  problem: `The file has the columns of ${own}, and so has another file of the folder. Put their rows together, or load one after the other.`,
})

/**
 * Finds the files that our own reader does not read as they are, in the order of their names.
 * @param files paths by name
 * @param kinds our own files
 */
export async function findTables(
  files: ReadonlyMap<string, string>,
  kinds: readonly FileKind[],
  finding: Finding = {},
): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const [name, path] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const own = kinds.find(({ file }) => file === name)
    const file = await find({ path, name, own }, kinds, finding)
    if (file) found.push(file)
  }
  requireColumns(found, finding.map)
  return found.map((each) => (isSecond(each, found, files) ? second(each) : each))
}
