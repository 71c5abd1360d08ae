import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { cut, FileProblem } from '../report'
import { recognize } from '../sources/recognize'
import { openTable } from '../tables/open'
import type { JoinedFile } from './build'
import { type Said, survey } from './survey'

const ENDINGS = ['.csv', '.tsv', '.txt', '.tab', '.iif', '.xlsx']

/** Whether a file's name says that it may be a table. */
export const mayBeTable = (name: string): boolean => ENDINGS.includes(extname(name).toLowerCase())

/** A file of a folder that is none of ours by name: recognized and read through once, or why it cannot be used. */
export type FoundFile = { name: string; path: string } & (
  | { joined: JoinedFile; leftOut: Map<string, number> }
  | { problem: string; isRecognized: boolean }
)

const listed = (header: string[]) => header.filter(Boolean).slice(0, 20).map(cut).join(', ') || 'none'

/** Opens a file, recognizes it and decides what only the whole of it shows. */
async function find(path: string, name: string, said: Said): Promise<FoundFile> {
  let isRecognized = false
  try {
    const table = await openTable({ path, name })
    const found = recognize(table.header)
    if (!found)
      return {
        name,
        path,
        isRecognized,
        problem: `The file is not recognized. Its columns are: ${listed(table.header)}.`,
      }
    isRecognized = true
    const { mapping, others } = found
    if (others.length > 0)
      throw new FileProblem(
        `The file has the columns of ${[mapping, ...others].map(({ source, file }) => `${source} ${file}`).join(' and of ')}. Remove those of one.`,
      )
    const { notation, leftOut } = await survey(mapping, table, said)
    return { name, path, joined: { mapping, table, notation }, leftOut }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return { name, path, isRecognized, problem: error.message }
  }
}

/** Finds the tables of a folder beside those with our own names, in the order of their names. */
export async function findTables(folder: string, own: ReadonlySet<string>, said: Said = {}): Promise<FoundFile[]> {
  const names = (await readdir(folder)).filter((name) => mayBeTable(name) && !own.has(name.toLowerCase())).sort()
  const found: FoundFile[] = []
  for (const name of names) found.push(await find(join(folder, name), name, said))
  return found
}
