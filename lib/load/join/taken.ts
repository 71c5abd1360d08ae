import { extname } from 'node:path'
import type { FileKind } from '../columns'
import { matchHeader } from '../header'
import { type Assigned, type Chosen, correct, type KeptMapping, type Proposed, propose } from '../mapping/propose'
import { shapeOf } from '../mapping/shape'
import { FileProblem } from '../report'
import type { Mapping } from '../sources/mapping'
import { recognize } from '../sources/recognize'
import type { Table } from '../tables/table'
import type { Said } from './survey'

/** What is known of files whose columns no software has. */
export type Finding = Said & {
  /** The mapping that a contractor keeps for files of a shape. */
  kept?: ((shape: string) => Promise<KeptMapping | undefined>) | undefined
  /** Maps strangers by what their columns look like, with these fields in place of what is proposed. */
  map?: readonly Chosen[] | undefined
}

/** How many rows are looked at to propose fields. */
const LOOKED_AT = 200

/** Reads the first rows of a table. */
export async function firstRows(table: Table): Promise<string[][]> {
  const rows: string[][] = []
  for await (const { cells } of table.rows) if (rows.push(cells) >= LOOKED_AT) break
  return rows
}

/** Proposes the fields of a table's columns, with what a person chose in place of some. */
export const proposeFor = async (table: Table, chosen: readonly Assigned[] = []): Promise<Proposed[]> =>
  correct(propose(table.header, await firstRows(table)), chosen)

/** How many columns of one of our files a header has; 0 when it is not the header of that file. */
function known(kind: FileKind, header: string[]): number {
  try {
    return matchHeader(kind, header).fields.length
  } catch (error) {
    if (error instanceof FileProblem) return 0
    throw error
  }
}

/** Whether a header is that of one of our files. */
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

/** What a table was taken for. */
export type Taken =
  | { as: 'software'; mapping: Mapping; others: string[] }
  | { as: 'kept'; kept: KeptMapping }
  | { as: 'ours'; kind: FileKind }
  | { as: 'stranger' }

/** Says what a table is: another software's export, one of a kept shape, one of ours in another form, or none of these. */
export async function take(table: Table, kinds: readonly FileKind[], { kept }: Finding): Promise<Taken> {
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
