import { extname } from 'node:path'
import type { Place } from '@/lib/core/country'
import type { FileKind } from '../columns'
import { FileProblem } from '../fault'
import { matchHeader } from '../header'
import type { Mapped } from '../mapping/fields'
import { type Assigned, type Chosen, correct, type Proposed, propose, type StoredMapping } from '../mapping/propose'
import { shapeOf } from '../mapping/shape'
import type { Answers } from '../questions'
import type { Mapping } from '../sources/mapping'
import { recognize } from '../sources/recognize'
import type { Table } from '../tables/table'
import type { Notation } from '../values'
import type { FindCustomers, FindNumbered } from './renamed'
import type { FindStored } from './stored'
import type { NotationHints } from './survey'

/** The facts known about files whose columns no software has. */
export type Finding = NotationHints & {
  /** The contractor's country, zone and currency. */
  office: Place
  answers?: Answers | undefined
  /** The order of dates that was answered for an earlier load. */
  keptDates?: Notation['dates'] | undefined
  /** The mapping that a contractor keeps for files of a shape. */
  kept?: ((shape: string) => Promise<StoredMapping | undefined>) | undefined
  /** Finds what is stored of a load's documents; undefined where nothing is. */
  stored?: FindStored | undefined
  /** Finds stored invoices by their numbers; undefined where nothing is stored. */
  numbered?: FindNumbered | undefined
  /** Finds stored customers by their ids and references; undefined where nothing is looked up. */
  customers?: FindCustomers | undefined
  /** Maps strangers by what their columns look like, with these fields in place of what is proposed. */
  map?: readonly Chosen[] | undefined
}

/** The number of rows looked at to propose fields. */
const LOOKED_AT = 200

/** Reads the first rows of a table. */
export async function firstRows(table: Table): Promise<string[][]> {
  const rows: string[][] = []
  for await (const { cells } of table.rows) if (rows.push(cells) >= LOOKED_AT) break
  return rows
}

/** Proposes the fields of a table's columns, with what a person chose in place of some. */
export const proposeFor = async (
  table: Table,
  chosen: readonly Assigned[] = [],
  subject?: Mapped,
): Promise<Proposed[]> => correct(propose(table.header, await firstRows(table), subject), chosen)

/** Returns how many columns of one of our files a header has; 0 when it is not the header of that file. */
function known(kind: FileKind, header: string[]): number {
  try {
    return matchHeader(kind, header).fields.length
  } catch (error) {
    if (error instanceof FileProblem) return 0
    throw error
  }
}

/** Reports whether a header is that of one of our files. */
export const fits = (kind: FileKind, header: string[]): boolean => known(kind, header) > 0

/** The one of our files that a table is, whatever its form: the one it is called after, or the one that knows the most of its columns. */
function ownKind(table: Table, kinds: readonly FileKind[]): FileKind | undefined {
  const stem = table.name.slice(0, -extname(table.name).length).toLowerCase()
  const rated = kinds.map((kind) => ({ kind, score: known(kind, table.header) })).filter(({ score }) => score > 0)
  const named = rated.find(({ kind }) => kind.file === `${stem}.csv`)
  if (named) return named.kind
  const best = Math.max(0, ...rated.map(({ score }) => score))
  const [only, other] = rated.filter(({ score }) => score === best)
  return other ? undefined : only?.kind
}

/** The result of recognizing a table. */
export type Recognized =
  | { as: 'software'; mapping: Mapping; others: string[] }
  | { as: 'kept'; kept: StoredMapping }
  | { as: 'ours'; kind: FileKind }
  | { as: 'stranger' }

/** Says what a table is: another software's export, one of a kept shape, one of ours in another form, or none of these. */
export async function recognizeTable(
  table: Table,
  kinds: readonly FileKind[],
  { kept }: Pick<Finding, 'kept'>,
): Promise<Recognized> {
  const found = recognize(table.header)
  if (found) {
    const others = found.others.map(({ source, file }) => `${source} ${file}`)
    return { as: 'software', mapping: found.mapping, others }
  }
  const known = await kept?.(shapeOf(table.header))
  if (known) return { as: 'kept', kept: known }
  const kind = ownKind(table, kinds)
  return kind ? { as: 'ours', kind } : { as: 'stranger' }
}
