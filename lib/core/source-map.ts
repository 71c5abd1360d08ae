import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The place in a line of a stack: what ends the file's address, line and column. */
const PLACE = /\.js:(\d{1,9}):(\d{1,9})/

/** The place that a line of a stack names in what `npm run build` bundled; undefined when it names none. */
function bundled(frame: string): { place: string; file: string; line: number; column: number } | undefined {
  const end = PLACE.exec(frame)
  const start = end ? frame.lastIndexOf('file://', end.index) : -1
  if (!end || start < 0) return undefined
  const file = `${frame.slice(start, end.index)}.js`
  if (!file.includes('/dist/') || /\s/.test(file)) return undefined
  return { place: file + end[0].slice('.js'.length), file, line: Number(end[1]), column: Number(end[2]) }
}

/** Integers per row of `<file>.places`; scripts/places.mjs writes them: line, column, source, its line. */
const ROW = 4

/** Returns the row of the last mapping at or before a place; undefined when there is none on that line. */
function rowAt(places: Int32Array, line: number, column: number): Int32Array | undefined {
  let [low, high] = [0, places.length / ROW]
  while (low < high) {
    const middle = (low + high) >> 1
    const [rowLine = 0, rowColumn = 0] = places.subarray(middle * ROW, middle * ROW + 2)
    if (rowLine < line || (rowLine === line && rowColumn <= column)) low = middle + 1
    else high = middle
  }
  const row = places.subarray((low - 1) * ROW, low * ROW)
  return low > 0 && row[0] === line ? row : undefined
}

/** Reads the tables of a bundled file; undefined when there are none. Not cached, because reading them takes well under a millisecond. */
function tablesOf(file: string): { places: Int32Array; sources: string[] } | undefined {
  try {
    const path = fileURLToPath(file)
    const bytes = Uint8Array.from(readFileSync(`${path}.places`))
    return { places: new Int32Array(bytes.buffer), sources: JSON.parse(readFileSync(`${path}.places.json`, 'utf8')) }
  } catch {
    return undefined
  }
}

/**
 * Returns a line of a stack with the file and line of the source instead of the bundle's, and any other line unchanged. It reads tables that the build
 * made from the source maps, because decoding a map here would block all requests while an error is logged.
 */
export function atSource(frame: string): string {
  const found = bundled(frame)
  const tables = found && tablesOf(found.file)
  const row = tables && rowAt(tables.places, found.line - 1, found.column - 1)
  const source = row && tables.sources[row[2] ?? -1]
  if (found === undefined || row === undefined || source === undefined) return frame
  return frame.replace(found.place, `${source.replace(/^(\.\.\/)+/, '')}:${(row[3] ?? 0) + 1}`)
}
