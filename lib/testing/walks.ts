import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A walk of docs/architecture.md: the files a request is handed to in order, and those that are only asked. */
export type Walk = { title: string; files: string[]; asked: string[] }

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)

/** The walks that docs/architecture.md describes, in its order. */
export function walks(): Walk[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const rows = section.split('\n').filter((line) => line.startsWith('| `'))
      const cells = rows.map((row) => row.split('|'))
      return {
        title: section.split('\n', 1)[0] ?? '',
        files: cells.flatMap(([, file = '']) => quoted(file)),
        asked: cells.flatMap(([, , , asked = '']) => quoted(asked)),
      }
    })
}

/** The walk with this title. */
export function walkOf(title: string): Walk {
  const walk = walks().find((each) => each.title === title)
  if (!walk) throw new Error(`docs/architecture.md has no walk "${title}"`)
  return walk
}
