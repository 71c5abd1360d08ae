import { oneLine } from '@/lib/core/text'
import type { Guide } from './guides'
import { anchorOf, known, parseMarkdown, plainText } from './markdown'

/** A section of a guide that was found; `anchor` is empty for what stands before its first heading. */
export type FoundSection = { slug: string; guide: string; heading: string; anchor: string; excerpt: string }

type Section = Omit<FoundSection, 'excerpt'> & { text: string }

const MOST = 12
/** A word in a heading says more about a section than one in its text. */
const OF_HEADING = 10
const BEFORE = 60
const EXCERPT = 180
/** The marks that Markdown writes around the words of lists, tables and code. */
const MARKS = /[`*|]+|-{3,}|^[ \t]*[-+] /gm

function sectionsOf({ slug, title, description, markdown }: Guide): Section[] {
  const sections: Section[] = [{ slug, guide: title, heading: title, anchor: '', text: description }]
  for (const token of parseMarkdown(markdown)) {
    if (token.type === 'heading') {
      const heading = plainText(token.tokens)
      sections.push({ slug, guide: title, heading, anchor: anchorOf(heading), text: '' })
      continue
    }
    const last = sections.at(-1)
    const text = 'tokens' in token && token.tokens ? plainText(known(token.tokens)) : token.raw.replace(MARKS, ' ')
    if (last) last.text += ` ${oneLine(text)}`
  }
  return sections
}

/** Returns how well a section answers words, all of which must be in it; 0 where one is not. */
function scoreOf({ heading, text }: Section, words: string[]): number {
  const [head, body] = [heading.toLowerCase(), text.toLowerCase()]
  let score = 0
  for (const word of words) {
    const times = Math.min(5, body.split(word).length - 1)
    const found = (head.includes(word) ? OF_HEADING : 0) + times
    if (found === 0) return 0
    score += found
  }
  return score
}

/** The words around the first that was looked for. */
function excerptOf({ text }: Section, words: string[]): string {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)))
  const start = Math.max(0, at - BEFORE)
  const cut = text.slice(start, start + EXCERPT).trim()
  return `${start > 0 ? '…' : ''}${cut}${start + EXCERPT < text.length ? '…' : ''}`
}

/** The sections of guides that hold every word of a question, the best first. */
export function searchGuides(guides: readonly Guide[], question: string): FoundSection[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return guides
    .flatMap(sectionsOf)
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ section: { text, ...rest } }) => ({ ...rest, excerpt: excerptOf({ ...rest, text }, words) }))
}
