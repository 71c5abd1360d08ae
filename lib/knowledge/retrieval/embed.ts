import type { Database } from '@/db/client'
import { chunksWithoutVector, putVectors } from '@/db/queries/vectors'
import { type Env, env } from '@/lib/core/env'
import { runsJobs } from '@/lib/core/jobs'
import { logFault } from '@/lib/core/log'
import { part } from '@/lib/runtime/runtime'

/** How long a search waits for its query's vector before it searches by words alone. */
const QUERY_MS = 500
const FILL_MS = 30_000
const FILL_AT_ONCE = 64
const FILL_EVERY_MS = 60_000
/** How long the endpoint gets no requests after a failure. */
const REST_MS = 30_000

/** When the endpoint may be called again after a failure, and when missing vectors are filled in next (both in ms, on the clock of `performance.now()`). */
export type EmbeddingState = { restUntil: number; fillAfter: number }
const state = part('embeddings', () => ({ restUntil: 0, fillAfter: 0 }))

type Settings = NonNullable<Env['embeddings']>

/**
 * Scales a vector to length 1, so that the dot product of two is their cosine. @throws Error when it is all zeros or holds
 * non-numbers
 */
function normalized(vector: number[]): number[] {
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length) || length === 0) throw new Error('the embeddings endpoint answered no vector')
  return vector.map((part) => part / length)
}

async function embed({ url, apiKey, model }: Settings, texts: string[], patienceMs: number): Promise<number[][]> {
  // Loaded only where an endpoint is configured, because it costs memory and startup time.
  const [{ createOpenAICompatible }, { embedMany }] = await Promise.all([
    import('@ai-sdk/openai-compatible'),
    import('ai'),
  ])
  const provider = createOpenAICompatible({ name: 'embeddings', baseURL: url, ...(apiKey ? { apiKey } : {}) })
  const { embeddings } = await embedMany({
    model: provider.embeddingModel(model),
    values: texts,
    maxRetries: 0,
    abortSignal: AbortSignal.timeout(patienceMs),
  })
  if (embeddings.length !== texts.length) throw new Error('the embeddings endpoint answered another number of vectors')
  return embeddings.map(normalized)
}

/** Runs work that needs the endpoint. Returns undefined when it fails or failed within the last 30 seconds. Never throws. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  if (performance.now() < state().restUntil) return undefined
  try {
    return await work()
  } catch (fault) {
    state().restUntil = performance.now() + REST_MS
    logFault({ operation: 'embeddings' }, fault)
    return undefined
  }
}

/** Returns a query's vector and its model; undefined when no endpoint is configured or it does not answer within half a second. */
export async function queryVector(query: string): Promise<{ model: string; vector: number[] } | undefined> {
  const settings = env().embeddings
  if (!settings) return undefined
  const vectors = await orNothing(() => embed(settings, [query], QUERY_MS))
  const [vector] = vectors ?? []
  return vector && { model: settings.model, vector }
}

/** Creates vectors for chunks that have none, until all are done or the endpoint fails. Returns how many it created. */
export async function fillVectors(db: Database): Promise<number> {
  const settings = env().embeddings
  if (!settings) return 0
  for (let made = 0; ; ) {
    const chunks = await chunksWithoutVector(db, settings.model, FILL_AT_ONCE)
    if (chunks.length === 0) return made
    const texts = chunks.map(({ title, heading, text }) => [title, heading, text].filter(Boolean).join('\n') || ' ')
    const vectors = await orNothing(() => embed(settings, texts, FILL_MS))
    if (!vectors) return made
    const rows = chunks.flatMap(({ document, ordinal }, i) => {
      const vector = vectors[i]
      return vector ? [{ document, ordinal, vector }] : []
    })
    await putVectors(db, settings.model, rows)
    made += rows.length
  }
}

/** Fills in missing vectors in the background, at most once a minute. */
export function fillSometimes(db: Database): void {
  if (!env().embeddings || !runsJobs() || performance.now() < state().fillAfter) return
  state().fillAfter = performance.now() + FILL_EVERY_MS
  fillVectors(db).catch((fault) => logFault({ operation: 'fill embeddings' }, fault))
}
