import { existsSync } from 'node:fs'
import { optionOf } from './figures'
import { measureQuality } from './retrieval/quality'
import { measureScale } from './retrieval/scale'

/**
 * Runs `npm run bench -- retrieval <folder> [pg|pglite]`: search quality on a collection, compared with other engines. `npm run bench --
 * retrieval scale [chunks] [--rounds 100]`: search speed compared with a plain count, and the cost of adding a document.
 */
export async function run(args: string[]): Promise<void> {
  const [what = '', option] = args
  if (what === 'scale') return measureScale(Number(option ?? 100_000), optionOf(args, '--rounds', 100))
  if (!existsSync(what))
    throw new Error('Name the folder of a collection (corpus.jsonl, queries.jsonl, qrels/test.tsv), or scale [chunks].')
  await measureQuality(what, option ?? 'pg')
}
