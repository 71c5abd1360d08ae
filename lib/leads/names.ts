import { oneLine, partsBetween, withoutEnd } from '@/lib/core/text'

export type SplitName = { firstName: string; lastName: string }

/** Words that belong to the family name that follows them. */
const PARTICLES = /^(?:van|von|der|den|de|del|della|da|di|du|dos|das|la|le|st\.?|bin|ibn|al|el|ter|ten)$/i
const SUFFIX = /^(?:jr|sr|ii|iii|iv|v|md|phd|esq|llc|inc|co|corp|ltd)\.?$/i

/**
 * Splits a full name: the last word with its particles and suffix is the last name, and `Last, First` is reversed. A single word
 * has no last name. Joined with a space, the parts give the original name.
 */
export function splitName(text: string): SplitName {
  const name = oneLine(text)
  const [before = '', after = '', ...more] = partsBetween(name, ',')
  if (after !== '' && more.length === 0 && !SUFFIX.test(after)) return { firstName: after, lastName: before }
  const words = name.split(' ')
  let last = words.length - 1
  while (last > 1 && SUFFIX.test(words[last] ?? '')) last--
  while (last > 1 && PARTICLES.test(words[last - 1] ?? '')) last--
  return { firstName: words.slice(0, Math.max(last, 1)).join(' '), lastName: words.slice(Math.max(last, 1)).join(' ') }
}

const TITLE = /^(?:dr|mr|mrs|ms|miss|mx|prof|professor|rev|reverend)\.?$/i
/** The suffixes of a person; `Inc` and `LLC` belong to the name of a company. */
const OF_PERSON = /^(?:jr|sr|ii|iii|iv|md|phd|esq)\.?$/i

/** Returns a name without a title before it and the suffixes after it; a name of nothing else stays. */
export function withoutTitles(text: string): string {
  const words = oneLine(text).split(' ')
  let [from, to] = [0, words.length]
  while (from < to && (TITLE.test(words[from] ?? '') || (from > 0 && /^(?:and|&)$/i.test(words[from] ?? '')))) from++
  while (to > from && OF_PERSON.test(words[to - 1] ?? '')) to--
  if (from === 0 && to === words.length) return text
  return withoutEnd(words.slice(from, to).join(' '), /[\s,]/) || text
}
