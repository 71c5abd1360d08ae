import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A line of a stack that names a place in what `npm run build` bundled. */
const BUNDLED = /(file:\/\/\S+\/dist\/\S+\.js):(\d+):(\d+)/

/** Returns the map next to a bundled file; undefined when there is none. Not cached, because errors are rare. */
function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * A line of a stack with the place in the source instead of the bundle's; as it is when it names none. Node's own way would read the map of
 * every file at the start; here a map is read when a fault is first written down.
 */
export function atSource(frame: string): string {
  const [place, file = '', line, column] = BUNDLED.exec(frame) ?? []
  if (place === undefined) return frame
  const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
  if (found === undefined || !('originalSource' in found)) return frame
  const source = found.originalSource.replace(/^(\.\.\/)+/, '')
  return frame.replace(place, `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`)
}
