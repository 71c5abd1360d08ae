import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

/** Functions whose arguments are rows, of a table or of a type: created after the tables and types, and all others before them. */
const OF_ROWS = 'of-rows/'

/** The number of times that the functions were changed, and their hash the last time. */
const Revision = z.object({ revision: z.number().int(), hash: z.string() })
export type Revision = z.infer<typeof Revision>

/** A function's file: its place below `db/functions`, as `feed/number_changes.sql`, and its text. */
export type FunctionFile = { place: string; text: string }

/** Returns the path of the revision. `npm run migrations` counts it up, and a test fails while the functions have another hash. */
export const revisionFile = (folder: string): string => join(folder, 'functions', 'revision.json')

/** Reads the revision of the functions: one small file, so that a start reads no function to know that none has changed. */
export const readRevision = async (folder: string): Promise<Revision> =>
  Revision.parse(JSON.parse(await readFile(revisionFile(folder), 'utf8')))

/** Reads the file of every function, in order of their places. */
export async function readFunctions(folder: string): Promise<FunctionFile[]> {
  const places = await readdir(join(folder, 'functions'), { recursive: true })
  return Promise.all(
    places
      .map((place) => place.replaceAll('\\', '/'))
      .filter((place) => place.endsWith('.sql'))
      .sort()
      .map(async (place) => ({ place, text: await readFile(join(folder, 'functions', place), 'utf8') })),
  )
}

/** The hash of all functions. A checkout with other ends of lines has the same. */
export function hashFunctions(files: FunctionFile[]): string {
  const sum = createHash('sha256')
  for (const { place, text } of files) sum.update(`${place}\n${text.replaceAll('\r\n', '\n')}\n`)
  return sum.digest('hex')
}

/** Reports whether a function can only be created once the tables and types are there. */
export const takesRows = ({ place }: FunctionFile): boolean => place.startsWith(OF_ROWS)
