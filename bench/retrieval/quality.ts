import { openTestDatabase } from '@/db/testing'
import { type Collection, readCollection } from './collection'
import { type Contender, miniSearch, ours, tsRank, wink } from './contenders'
import { ndcg, quantile, recall } from './metrics'

const FOUND = 50

type Measured = { name: string; ndcg: number; recall: number; milliseconds: number[] }

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

async function measure({ name, search }: Contender, { queries, judgments }: Collection): Promise<Measured> {
  // Runs once unmeasured, so that statements are prepared and pages are in memory.
  for (const { text } of queries) await search(text, FOUND)
  const perQuery: { ndcg: number; recall: number; milliseconds: number }[] = []
  for (const { id, text } of queries) {
    const began = performance.now()
    const ranking = await search(text, FOUND)
    const milliseconds = performance.now() - began
    const judged = judgments.get(id) ?? new Map()
    perQuery.push({ ndcg: ndcg(ranking, judged, 10), recall: recall(ranking, judged, FOUND), milliseconds })
  }
  return {
    name,
    ndcg: mean(perQuery.map(({ ndcg }) => ndcg)),
    recall: mean(perQuery.map(({ recall }) => recall)),
    milliseconds: perQuery.map(({ milliseconds }) => milliseconds),
  }
}

/** Prints nDCG@10, recall@50 and latency on a collection in a folder, for our search and others, over one driver. */
export async function measureQuality(folder: string, driver: string): Promise<void> {
  process.env.TEST_DRIVER = driver
  const collection = readCollection(folder)
  const { documents, queries } = collection
  const db = await openTestDatabase()
  try {
    const contenders = [
      ...(await ours(db, documents)),
      await tsRank(db, documents),
      wink(documents, 1),
      wink(documents, 3),
      miniSearch(documents, 1),
      miniSearch(documents, 3),
    ]
    await db.orm.execute('analyze')
    console.log(`${documents.length} documents, ${queries.length} judged queries, ${driver}\n`)
    console.log(`${''.padEnd(30)} nDCG@10  recall@50  p50 ms  p95 ms`)
    for (const contender of contenders) {
      const { name, ndcg, recall, milliseconds } = await measure(contender, collection)
      const figures = [ndcg.toFixed(3).padStart(8), recall.toFixed(3).padStart(10)]
      const times = [quantile(milliseconds), quantile(milliseconds, 0.95)].map((ms) => ms.toFixed(1).padStart(7))
      console.log(`${name.padEnd(30)}${figures.join(' ')} ${times.join(' ')}`)
    }
  } finally {
    await db.close()
  }
}
