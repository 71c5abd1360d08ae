import type { Answer, Truth } from './question'

const plain = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ')

/** Reports whether two figures are the same to the cent. */
export const sameFigure = (a: number, b: number): boolean => Math.abs(a - b) < 0.005

/** Reports whether `given` is the list: each item once, by any of its names, and nothing else; in its order, where that counts. */
export function sameList(items: readonly (readonly string[])[], given: readonly string[], ordered = false): boolean {
  if (items.length !== given.length) return false
  const left = items.map((names) => names.map(plain))
  for (const name of given.map(plain)) {
    // Where order counts, the next item is the only candidate.
    const at = (ordered ? left.slice(0, 1) : left).findIndex((names) => names.includes(name))
    if (at === -1) return false
    left.splice(at, 1)
  }
  return true
}

/** Reports whether an answer is right. A change is right when the books show it. */
export async function isRight(truth: Truth, answer: Answer | undefined): Promise<boolean> {
  if (truth.kind === 'change') return truth.done()
  if (truth.kind === 'figures' && answer?.kind === 'figures')
    return Object.entries(truth.figures).every(([label, figure]) => {
      const given = answer.figures[label]
      return given !== undefined && sameFigure(given, figure)
    })
  if (truth.kind === 'list' && answer?.kind === 'list') return sameList(truth.items, answer.items, truth.ordered)
  if (truth.kind === 'day' && answer?.kind === 'day') return answer.day === truth.day
  if (truth.kind === 'text' && answer?.kind === 'text')
    return truth.said.every((words) => plain(answer.text).includes(plain(words)))
  return false
}
