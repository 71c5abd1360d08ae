import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Judgments } from './metrics'

export type CollectionDocument = { id: string; title: string; text: string }
export type Collection = {
  documents: CollectionDocument[]
  queries: { id: string; text: string }[]
  judgments: Map<string, Judgments>
}

const Entry = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() })

const entriesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Entry.parse(JSON.parse(line)))
    .map(({ _id: id, title, text }) => ({ id, title, text }))

/**
 * Reads a collection in BEIR's format: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv` (query, document, relevance, with a header
 * line). Queries without a judgment are left out.
 */
export function readCollection(folder: string): Collection {
  const judgments = new Map<string, Map<string, number>>()
  for (const line of readFileSync(join(folder, 'qrels', 'test.tsv'), 'utf8')
    .split('\n')
    .slice(1)) {
    const [query, document, usefulness] = line.trim().split('\t')
    if (!query || !document) continue
    const known = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, known.set(document, Number(usefulness)))
  }
  const queries = entriesOf(join(folder, 'queries.jsonl')).filter(({ id }) => judgments.has(id))
  return { documents: entriesOf(join(folder, 'corpus.jsonl')), queries, judgments }
}
