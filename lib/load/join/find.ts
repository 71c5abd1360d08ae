import { extname } from 'node:path'
import { countryOf } from '@/lib/core/country'
import { ServiceError } from '@/lib/core/errors'
import { RESOURCES } from '@/lib/resources/registry'
import type { FileKind } from '../columns'
import { cut, FileProblem } from '../fault'
import { matchHeader } from '../header'
import { columnOf } from '../kinds'
import { answeredColumns, askColumns, askKind } from '../mapping/ask'
import { assignments, isSound, mappingFrom } from '../mapping/build'
import type { Mapped } from '../mapping/fields'
import { type Chosen, type StoredMapping, subjectsOf } from '../mapping/propose'
import { linesKey, shapeOf } from '../mapping/shape'
import { type Answers, answerTo, type Question } from '../questions'
import type { ControlTotal, Documents } from '../reconcile'
import type { Mapping } from '../sources/mapping'
import { recognize } from '../sources/recognize'
import { openTable } from '../tables/open'
import type { Table } from '../tables/table'
import type { Notation } from '../values'
import { DateOrder } from './date-order'
import type { JoinedFile } from './joined-file'
import { type Finding, firstRows, fits, proposeFor, type Recognized, recognizeTable } from './recognize'
import { askRenamed, type KnownById, knownById } from './renamed'
import { askOverwriting, compareDays } from './stored'
import { FileSurvey, type Survey } from './survey'

/** The endings of the names of table files. */
export const TABLE_ENDINGS = ['.csv', '.tsv', '.txt', '.tab', '.iif', '.xlsx']

/** Reports whether a file's name says that it may be a table. */
export const mayBeTable = (name: string): boolean => TABLE_ENDINGS.includes(extname(name).toLowerCase())

/** A mapping that was made for this file, to be kept. */
export type MadeMapping = { shape: string; mapping: StoredMapping }

/**
 * A file of a folder that is not read as one of ours as it is: recognized and read through once; ours in another form (`own` is its name among ours);
 * or why it cannot be used.
 */
export type FoundFile = { name: string; path: string } & (
  | { joined: JoinedFile; leftOut: Map<string, number>; made?: MadeMapping; rules?: string[] }
  | { own: string; table: Table }
  | { problem: string; isRecognized: boolean }
)

/** The files of a load, the notation of each of ours, why dates are read as they are, and what has to be asked first. */
export type Found = {
  files: FoundFile[]
  notations: Map<string, Notation>
  why: string | undefined
  questions: Question[]
  documents: Documents[]
  totals: ControlTotal[]
  /** References of documents that stay as they are stored, because a person said so. */
  kept: ReadonlySet<string>
  /** New names of customers, by their references. */
  renamed: ReadonlyMap<string, string>
  /** The answers that the files give themselves, by the ids of customers. */
  learned: Answers
}

/** A file that was recognized or mapped, before it is read through. */
type Opened = Place & {
  mapping: Mapping
  table: Table
  asked: Question[]
  made?: MadeMapping
  rules?: string[]
  /** The order of dates that is kept for files of its shape. */
  keptDates?: Notation['dates'] | undefined
}

const listed = (header: string[]) => header.filter(Boolean).slice(0, 20).map(cut).join(', ') || 'none'

/** Reports whether our own reader reads a file: comma-separated UTF-8 with the header on its first line. */
const isPlain = ({ format }: Table) =>
  format.kind === 'text' && format.encoding === 'utf-8' && format.delimiter === ',' && format.headerRow === 1

/** The path where a file lies, and the one of ours that it is called as. */
type Place = { name: string; path: string; own: FileKind | undefined }

/** A payment's method is also kept as it is written. */
function withDetail(mapping: Mapping): Mapping {
  const { payments } = mapping.fills
  if (payments?.method === undefined || (typeof payments.method === 'object' && 'text' in payments.method))
    return mapping
  return { ...mapping, fills: { ...mapping.fills, payments: { methodDetail: payments.method, ...payments } } }
}

/** A mapping whose rows are lines of documents, where a person said so. */
function withLines(mapping: Mapping, header: string[], answers: Answers = {}): Mapping {
  const { reference, amount } = mapping.fills.invoices ?? {}
  if (answerTo(answers, linesKey(header)) !== 'lines' || typeof reference !== 'string' || typeof amount !== 'string')
    return mapping
  return { ...mapping, lines: { key: reference, sum: amount } }
}

/** Returns what the rows of a table can be: of what its names allow, that for which it has all that such rows need. */
async function kindsFitting(table: Table, chosen: readonly Chosen[]): Promise<[Mapped, ...Mapped[]]> {
  const [likeliest, ...others] = subjectsOf(table.header)
  if (others.length === 0) return [likeliest]
  const fitting: Mapped[] = []
  for (const kind of [likeliest, ...others]) if (isSound(await proposeFor(table, chosen, kind))) fitting.push(kind)
  const [first = likeliest, ...more] = fitting
  return [first, ...more]
}

/** Maps a table by what its columns look like, what is kept for its shape, and what a person chose. */
async function mapped(place: Place, table: Table, finding: Finding, kept?: StoredMapping): Promise<Opened | FoundFile> {
  const { map, dates, answers = {} } = finding
  if (!map) {
    const how =
      'See what they could be with `plumbline load inspect`, and map them with --map "Column=field" or --save-map.'
    const problem = `The file is not recognized. Its columns are: ${listed(table.header)}. ${how}`
    return { name: place.name, path: place.path, isRecognized: false, problem }
  }
  const chosen = [
    ...map.filter(({ file = place.name }) => file === place.name),
    ...answeredColumns(table.header, answers),
    ...(kept?.columns ?? []),
  ]
  const kind = askKind(place.name, table, await kindsFitting(table, chosen), chosen, answers)
  const proposed = await proposeFor(table, chosen, kind.subject)
  const columns = proposed.map(({ column, field }) => ({ column, field }))
  // What its columns are depends on what its rows are.
  const asked = kind.asked.length > 0 ? kind.asked : askColumns(place.name, table, proposed, await firstRows(table))
  const keptDates = kept?.dates
  const toKeep = dates ?? keptDates
  const mapping: StoredMapping = { columns, ...(toKeep && { dates: toKeep }) }
  const made = { shape: shapeOf(table.header), mapping }
  return {
    ...place,
    mapping: withLines(mappingFrom(mapping), table.header, answers),
    table,
    asked,
    keptDates,
    made,
    rules: assignments(columns),
  }
}

/** Reads a table through as what it was taken for; undefined where our own reader is to read it, because it is called as one of ours. */
async function read(
  place: Place,
  table: Table,
  taken: Recognized,
  finding: Finding,
): Promise<Opened | FoundFile | undefined> {
  const { path, name, own } = place
  if (taken.as === 'ours') return own && isPlain(table) ? undefined : { name, path, own: taken.kind.file, table }
  if (taken.as === 'stranger') return own && !finding.map ? undefined : await mapped(place, table, finding)
  if (taken.as === 'kept') {
    const { kept } = taken
    if (finding.map) return await mapped(place, table, finding, kept)
    return {
      ...place,
      mapping: withLines(mappingFrom(kept), table.header, finding.answers),
      table,
      asked: [],
      keptDates: kept.dates,
      rules: assignments(kept.columns),
    }
  }
  const { mapping, others } = taken
  if (others.length > 0)
    throw new FileProblem(
      `The file has the columns of ${[`${mapping.source} ${mapping.file}`, ...others].join(' and of ')}. Remove those of one.`,
    )
  return { ...place, mapping, table, asked: [] }
}

/** Opens a file and says what it is. @returns undefined where our own reader is to read it */
async function find(
  place: Place,
  kinds: readonly FileKind[],
  finding: Finding,
): Promise<Opened | FoundFile | undefined> {
  const { path, name, own } = place
  let isRecognized = false
  try {
    const knows = (cells: string[]) => (own !== undefined && fits(own, cells)) || recognize(cells) !== undefined
    const table = await openTable({ path, name }, knows)
    if (own && isPlain(table) && fits(own, table.header)) return undefined
    const taken = await recognizeTable(table, kinds, finding)
    isRecognized = taken.as !== 'stranger' || finding.map !== undefined
    return await read(place, table, taken, finding)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    // Our own reader says what is wrong with one of our files.
    return own && !isRecognized ? undefined : { name, path, isRecognized, problem: error.message }
  }
}

/** Returns our own file as a mapping of its columns, to be read through with the others; undefined where it is damaged, which its reader says. */
async function ownOpened(name: string, path: string, kind: FileKind, opened?: Table): Promise<Opened | undefined> {
  try {
    const table = opened ?? (await openTable({ path, name }, (cells) => fits(kind, cells)))
    const { columns } = matchHeader(kind, table.header)
    const resource = RESOURCES.find(({ csv }) => csv.file === kind.file)?.name
    const fields = Object.fromEntries(
      columns.flatMap((of, at) => of.map(({ field }) => [field, table.header[at] ?? ''] as const)),
    )
    if (!resource) return undefined
    return {
      name,
      path,
      own: kind,
      table,
      asked: [],
      mapping: { source: 'Plumbline', file: kind.file, fills: { [resource]: fields } },
    }
  } catch (error) {
    if (error instanceof FileProblem) return undefined
    throw error
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

/** Reports whether another file of the folder is the same one of ours. */
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

/** A survey that could not be made says why. */
async function surveyed(each: Opened, dates: DateOrder, { office, answers = {}, ...said }: Finding) {
  try {
    // Words of our own files are read by their own reader, which notes what it does not know.
    const columns = each.mapping.source === 'Plumbline' ? () => undefined : columnOf
    return await new FileSurvey(each.mapping, each.table, dates, columns, answers).read(said, office)
  } catch (error) {
    if (error instanceof FileProblem) return error
    throw error
  }
}

/** The files of a load that are read through: those that were recognized or mapped, and ours. */
async function openAll(
  files: ReadonlyMap<string, string>,
  kinds: readonly FileKind[],
  finding: Finding,
): Promise<{ found: (Opened | FoundFile)[]; own: Opened[] }> {
  const found: (Opened | FoundFile)[] = []
  const own: Opened[] = []
  for (const [name, path] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = kinds.find(({ file }) => file === name)
    const file = await find({ path, name, own: kind }, kinds, finding)
    if (file) found.push(file)
    const inOtherForm = file && 'own' in file && typeof file.own === 'string' ? file.own : undefined
    const ours = file ? kinds.find(({ file: of }) => of === inOtherForm) : kind
    const opened = ours && (await ownOpened(name, path, ours, file && 'table' in file ? file.table : undefined))
    if (opened) own.push(opened)
  }
  return { found, own }
}

type Surveyed = Survey | FileProblem

/** Returns a file as it is read by what the whole of it shows. */
const joinedFile = (
  { mapping, table }: Pick<Opened, 'mapping' | 'table'>,
  { apart, namesakes, storedAs }: Partial<Survey & KnownById>,
  notation: Notation,
  words?: Answers,
): JoinedFile => ({
  mapping: withDetail(mapping),
  table,
  notation,
  ...(namesakes && { namesakes }),
  ...(storedAs && { storedAs }),
  ...(words && { words }),
  ...(apart && { apart }),
})

/** A file with what the whole of it shows. */
function joinedOf(
  each: Opened,
  survey: Surveyed | undefined,
  known: KnownById | undefined,
  notation: Notation,
  words?: Answers,
): FoundFile {
  const { name, path, made, rules = [] } = each
  if (!survey || survey instanceof FileProblem)
    return { name, path, isRecognized: true, problem: survey?.message ?? 'The file was not read.' }
  const { leftOut } = survey
  const joined = joinedFile(each, { ...survey, ...known }, notation, words)
  return { name, path, joined, leftOut, ...(made && { made }), rules: [...rules, ...(known?.rules ?? [])] }
}

/** The findings of a load's files beside what is stored. */
type Compared = {
  known: Map<Opened, KnownById>
  /** The answers that the files give themselves. */
  learned: Answers
  overwriting: Awaited<ReturnType<typeof askOverwriting>>[]
  renamed: Awaited<ReturnType<typeof askRenamed>>[]
}

/** Compares the files of a load with what is stored: who is known by an id, what would be overwritten, and who may have a new name. */
async function compareStored(
  files: readonly Opened[],
  read: (each: Opened) => JoinedFile,
  { stored, numbered, customers, answers = {} }: Finding,
): Promise<Compared> {
  const known: Compared['known'] = new Map()
  if (customers) for (const each of files) known.set(each, await knownById(read(each), customers))
  const learned: Answers = Object.assign({}, ...[...known.values()].map((each) => each.answers))
  const words = { ...answers, ...learned }
  const file = (each: Opened): JoinedFile => {
    const { storedAs = new Map() } = known.get(each) ?? {}
    return { ...read(each), storedAs, words }
  }
  const overwriting: Compared['overwriting'] = []
  if (stored) for (const each of files) overwriting.push(await askOverwriting(file(each), words, stored))
  const renamed: Compared['renamed'] = []
  if (numbered) for (const each of files) renamed.push(await askRenamed(file(each), words, numbered))
  return { known, learned, overwriting, renamed }
}

/**
 * Opens the files of a load and reads all of them through, because what one does not settle another one may: the order of dates, the
 * decimal mark, words that nobody knows. Ours that our own reader reads are not among the files, only their notation.
 * @param files paths by name
 * @param kinds our own files
 */
export async function findTables(
  files: ReadonlyMap<string, string>,
  kinds: readonly FileKind[],
  finding: Finding,
): Promise<Found> {
  const { found, own } = await openAll(files, kinds, finding)
  const { office } = finding
  const dates = new DateOrder(Math.floor(Date.now() / 86_400_000))
  const surveys = new Map<Opened, Surveyed>()
  const toRead = [...found.filter((each): each is Opened => 'mapping' in each), ...own]
  for (const each of toRead) surveys.set(each, await surveyed(each, dates, finding))
  const shown = (each: Opened): Partial<Survey> => {
    const survey = surveys.get(each)
    return survey && !(survey instanceof FileProblem) ? survey : {}
  }
  const whole = toRead.filter((each) => !(surveys.get(each) instanceof FileProblem))
  const notationIn = (each: Opened, dates: Notation['dates']): Notation => {
    const { decimals = '.' } = shown(each)
    return { dates, decimals, zone: office.timezone, country: countryOf(office) }
  }
  const fileIn = (each: Opened, order: Notation['dates']): JoinedFile =>
    joinedFile(each, shown(each), notationIn(each, order), finding.answers)
  const { stored } = finding
  if (stored && !finding.dates && dates.isOpen)
    await compareDays(
      whole.map((each) => fileIn(each, 'mdy')),
      dates,
      stored,
    )
  const decided = dates.decide(
    finding.dates,
    finding.keptDates ?? toRead.find((each) => each.keptDates)?.keptDates,
    office,
  )
  const order = 'order' in decided ? decided.order : 'mdy'
  const notationOf = (each: Opened) => notationIn(each, order)
  const compared = await compareStored('order' in decided ? whole : [], (each) => fileIn(each, order), finding)
  const { known, learned, overwriting, renamed } = compared
  const answers = { ...finding.answers, ...learned }
  const joined = found.map((each) =>
    'mapping' in each ? joinedOf(each, surveys.get(each), known.get(each), notationOf(each), answers) : each,
  )
  requireColumns(joined, finding.map)
  return {
    files: joined.map((each) => (isSecond(each, joined, files) ? second(each) : each)),
    notations: new Map(own.map((each) => [each.name, notationOf(each)])),
    documents: toRead.flatMap((each) => shown(each).documents ?? []),
    totals: toRead.flatMap((each) => shown(each).total ?? []),
    why: 'order' in decided ? decided.why : undefined,
    questions: [
      ...('order' in decided ? [] : [decided]),
      ...toRead.flatMap((each) => [...each.asked, ...(shown(each).questions ?? [])]),
      ...overwriting.flatMap(({ question }) => question ?? []),
      ...new Map(renamed.flatMap(({ questions }) => questions.map((each) => [each.key, each] as const))).values(),
    ],
    renamed: new Map(renamed.flatMap((each) => [...each.renamed])),
    learned,
    kept: new Set(overwriting.flatMap(({ kept }) => kept)),
  }
}
