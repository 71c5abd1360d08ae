import * as z from 'zod'
import type { Database } from '@/db/client'
import { chunksWithoutVector, putVectors } from '@/db/queries/vectors'
import { inHand, type Work } from '@/db/queries/work-in-hand'
import { type Env, env } from '@/lib/core/env'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { stopping } from '@/lib/core/stopping'

/** The time a search waits for its query's vector before it searches by words alone. */
const QUERY_MS = 500
const FILL_MS = 30_000
const FILL_AT_ONCE = 64
/** The time during which the endpoint gets no requests after a failure. */
const REST_MS = 30_000

/** The time at which the endpoint may be called again after a failure, in ms on the clock of `performance.now()`. */
export type EmbeddingState = { restUntil: number }
const state = shared<EmbeddingState>('embeddings', () => ({ restUntil: 0 }))

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

/** The answer of an endpoint that speaks OpenAI's `POST /embeddings`: a vector for each text, by its place. */
const Embeddings = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) })

/** @throws Error when the endpoint does not answer in time, or answers anything but a vector for each text */
async function embed({ url, apiKey, model }: Settings, texts: string[], patienceMs: number): Promise<number[][]> {
  const response = await fetch(`${url.replace(/\/$/, '')}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    signal: AbortSignal.timeout(patienceMs),
  })
  if (!response.ok) throw new Error(`the embeddings endpoint answered ${response.status}`)
  const { data } = Embeddings.parse(await response.json())
  if (data.length !== texts.length) throw new Error('the embeddings endpoint answered another number of vectors')
  return data.sort((one, other) => one.index - other.index).map(({ embedding }) => normalized(embedding))
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

/** Creates vectors for the next chunks that have none. Returns how many there were and how many it created. */
async function fillNext(db: Database, settings: Settings): Promise<{ found: number; made: number }> {
  const chunks = await chunksWithoutVector(db, settings.model, FILL_AT_ONCE)
  if (chunks.length === 0) return { found: 0, made: 0 }
  const texts = chunks.map(({ title, heading, text }) => [title, heading, text].filter(Boolean).join('\n') || ' ')
  const vectors = await orNothing(() => embed(settings, texts, FILL_MS))
  const rows = chunks.flatMap(({ document, ordinal }, i) => {
    const vector = vectors?.[i]
    return vector ? [{ document, ordinal, vector }] : []
  })
  if (rows.length > 0) await putVectors(db, settings.model, rows)
  return { found: chunks.length, made: rows.length }
}

/** One process at a time: the endpoint is paid for each text. */
const FILLING: Work = { kind: 'vectors', subject: 'all', leaseMs: FILL_MS + 5_000 }

/**
 * Creates vectors for chunks that have none, until all are done, the endpoint fails, another process is at it or the time is up. Returns how many it
 * created.
 */
export async function fillVectors(db: Database, budgetMs = Number.POSITIVE_INFINITY): Promise<number> {
  const settings = env().embeddings
  if (!settings) return 0
  const end = performance.now() + budgetMs
  for (let all = 0; ; ) {
    if (performance.now() > end || stopping().aborted) return all
    const { found, made } = await inHand(db.orm, FILLING, {
      begun: () => fillNext(db, settings),
      // The process that was at it is gone: the next run does what it left.
      left: () => Promise.resolve({ found: 0, made: 0 }),
      later: () => ({ found: 0, made: 0 }),
    })
    all += made
    if (found === 0 || made === 0) return all
  }
}
