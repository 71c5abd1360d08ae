import { existsSync } from 'node:fs'
import { measureQuality } from './retrieval/quality'
import { measureScale } from './retrieval/scale'

/**
 * `npm run bench -- retrieval <folder> [pg|pglite]`: how good searches of a collection are, beside others.
 * `npm run bench -- retrieval scale [chunks]`: how fast a search is beside a bare count, and what adding a document costs.
 */
export async function run([what = '', option]: string[]): Promise<void> {
  if (what === 'scale') return measureScale(Number(option ?? 100_000))
  if (!existsSync(what))
    throw new Error('Name the folder of a collection (corpus.jsonl, queries.jsonl, qrels/test.tsv), or scale [chunks].')
  await measureQuality(what, option ?? 'pg')
}
