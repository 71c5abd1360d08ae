import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWorkType, type WorkType } from '@/lib/knowledge/permits/rules/work-types'

/**
 * The table of words was written against the errors of `dev` alone, which `tuned.tsv` was added to; of `test` only the score is looked at.
 * `fresh` was written after the tables were done and put to them once; `unseen` before the next round of corrections, and put to the tables
 * once after it.
 */
export const HALVES = ['dev', 'test', 'fresh', 'unseen'] as const
export type Half = (typeof HALVES)[number]

/** A description with the kinds of work it names: `must` be found, `may` be found, and none else. No `must` is unknown work. */
export type Labeled = { description: string; must: WorkType[]; may: WorkType[]; half: Half }

/** The half a description belongs to, by its hash, so that neither order nor topic decides. */
export const halfOf = (description: string): 'dev' | 'test' =>
  (createHash('sha256').update(description).digest()[0] ?? 0) % 2 === 0 ? 'dev' : 'test'

/**
 * Reads the labeled set: a line holds kinds of work (`-` for none; `?` after one that may also be found), a tab, the description.
 * @throws Error naming a line that holds anything else
 */
export function readLabels(): Labeled[] {
  return [
    ...readFile('descriptions.tsv', halfOf),
    ...readFile('tuned.tsv', () => 'dev'),
    ...readFile('fresh.tsv', () => 'fresh'),
    ...readFile('unseen.tsv', () => 'unseen'),
  ]
}

function readFile(name: string, toHalf: (description: string) => Half): Labeled[] {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line, i) => {
    const [kinds = '', description] = line.split('\t')
    const names = kinds === '-' ? [] : kinds.split(',')
    const known = (optional: boolean) =>
      names.filter((name) => name.endsWith('?') === optional).map((name) => name.replace('?', ''))
    const must = known(false).filter(isWorkType)
    const may = known(true).filter(isWorkType)
    if (!description || must.length + may.length !== names.length)
      throw new Error(`${name}, line ${i + 1}: not kinds of work, a tab and a description: ${line}`)
    return { description, must, may, half: toHalf(description) }
  })
}
