import { isDate, lastOf, type Property, partsOf } from './property'
import type { Understood } from './understand'
import { closeness, stemsOf } from './words'

/** Returns which end of a period an argument takes: its last word says it. */
function endOf(name: string): 'from' | 'to' | undefined {
  const last = lastOf(name)
  if (/^(from|after|since|start|begin|min)$/.test(last)) return 'from'
  return /^(to|until|before|end|max)$/.test(last) ? 'to' : undefined
}

/** The moment of a record that a bound is for: `due` of one that begins the due days; empty where the name says none. */
const roleOf = (name: string) => stemsOf(partsOf(name).slice(0, -1).join(' '))

/** Bounds of a period; those of what did not happen only for a question that says so. Of several pairs the one whose moment the question names; of none of them the pair without a name. */
export function fillPeriod(properties: readonly Property[], question: Understood): [name: string, value: string][] {
  const denied = /\bnot\b|n[’']t\b/i.test(question.text)
  const bounds = properties.filter(
    (one) => isDate(one) && endOf(one.name) && (denied || partsOf(one.name)[0] !== 'not'),
  )
  const [range] = question.ranges
  if (!range) return []
  const spoken = new Set(question.stems)
  const rank = (name: string) => {
    const role = roleOf(name)
    return role.length === 0 ? 0.5 : role.reduce((sum, word) => sum + closeness(word, spoken), 0)
  }
  const best = Math.max(0, ...bounds.map(({ name }) => rank(name)))
  // Several periods are compared: an answer that has them all lists them one by one, from the first to the last.
  const all = {
    from: question.ranges.map(({ from }) => from).sort()[0],
    to:
      question.ranges.length > 1
        ? question.ranges
            .map(({ to = '' }) => to)
            .sort()
            .at(-1)
        : range.to,
  }
  const used = new Set<string>()
  return bounds.flatMap(({ name }): [string, string][] => {
    const end = endOf(name)
    if (!end || rank(name) < best || best === 0 || used.has(end)) return []
    const value = all[end]
    if (!value) return []
    used.add(end)
    return [[name, value]]
  })
}
