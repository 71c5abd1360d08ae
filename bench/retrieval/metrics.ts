/** The relevance of each document for a query, by document id. A missing document is irrelevant. */
export type Judgments = ReadonlyMap<string, number>

const gainAt = (usefulness: number, rank: number) => usefulness / Math.log2(rank + 2)

/**
 * Computes nDCG as trec_eval does (the gain is the judgment itself, discounted by the logarithm of the rank; Järvelin and
 * Kekäläinen 2002). It is 1 when the `depth` best documents come first in order, and 0 when no relevant one was found or exists.
 */
export function ndcg(ranking: readonly string[], judgments: Judgments, depth: number): number {
  const found = ranking.slice(0, depth).reduce((sum, id, rank) => sum + gainAt(judgments.get(id) ?? 0, rank), 0)
  const best = [...judgments.values()].sort((a, b) => b - a).slice(0, depth)
  const ideal = best.reduce((sum, usefulness, rank) => sum + gainAt(usefulness, rank), 0)
  return ideal === 0 ? 0 : found / ideal
}

/** Returns the share of relevant documents that appear among the first `depth` results; 0 when there are none. */
export function recall(ranking: readonly string[], judgments: Judgments, depth: number): number {
  const useful = [...judgments].flatMap(([id, usefulness]) => (usefulness > 0 ? [id] : []))
  const found = new Set(ranking.slice(0, depth))
  return useful.length === 0 ? 0 : useful.filter((id) => found.has(id)).length / useful.length
}

/** Returns the median, or another quantile, of sorted values. */
export const quantile = (values: readonly number[], share = 0.5): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
