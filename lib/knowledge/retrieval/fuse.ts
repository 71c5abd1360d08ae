/**
 * The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (2009):
 * 60.
 */
const K = 60

/**
 * Merges several rankings: a document scores the sum of 1 / (60 + its rank) over the rankings that contain it. The first ranking
 * that has it supplies the result.
 */
export function fuse<T extends { document: string; score: number }>(rankings: T[][]): T[] {
  const fused = new Map<string, T>()
  for (const ranking of rankings) {
    for (const [i, item] of ranking.entries()) {
      const before = fused.get(item.document)
      fused.set(item.document, { ...(before ?? item), score: (before?.score ?? 0) + 1 / (K + i + 1) })
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
