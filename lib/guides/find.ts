import type { Env } from '@/lib/core/env'
import { GUIDES_PATH, guidesFor } from './guides'

/** A guide that has what was looked for, and the section where. */
export type FoundGuide = { href: string; title: string; section: string }

const MOST = 4

type Section = { heading: string; text: string }

const sectionsOf = (markdown: string): Section[] =>
  markdown.split(/^(?=#{2,3} )/m).map((part) => ({
    heading: /^#{2,3} (.+)$/m.exec(part)?.[1] ?? '',
    text: part.toLowerCase(),
  }))

/** Returns the guides that have every word, in the title first, then in one section; each guide once, with that section. */
export function findGuides(query: string, settings: Env): FoundGuide[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const hasAll = (text: string) => words.length > 0 && words.every((word) => text.includes(word))
  const found = guidesFor(settings).flatMap(({ slug, title, description, markdown }) => {
    const href = `${GUIDES_PATH}/${slug}`
    if (hasAll(`${title} ${description}`.toLowerCase())) return [{ rank: 0, href, title, section: description }]
    const section = sectionsOf(markdown).find(({ text }) => hasAll(text))
    return section ? [{ rank: 1, href, title, section: section.heading || description }] : []
  })
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ href, title, section }) => ({ href, title, section }))
}
