import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { guidesFor } from './guides'
import { headingsOf, parseMarkdown } from './markdown'
import { searchGuides } from './search'

const guides = guidesFor(loadEnv({ PORT: '4000' }))

test('a search finds sections with every word, those with the words in their heading first', () => {
  const [first] = searchGuides(guides, 'Reading all pages')
  expect(first).toMatchObject({ slug: 'reading-data', anchor: 'reading-all-pages' })
  for (const { excerpt } of searchGuides(guides, 'retry-after')) expect(excerpt.length).toBeLessThan(200)
  expect(searchGuides(guides, 'retry-after').length).toBeGreaterThan(1)
  expect(searchGuides(guides, 'retry-after zebra')).toEqual([])
  expect(searchGuides(guides, '  ')).toEqual([])
})

test('results link to existing headings', () => {
  for (const { slug, anchor } of searchGuides(guides, 'key')) {
    const markdown = guides.find((guide) => guide.slug === slug)?.markdown ?? ''
    if (anchor) expect(headingsOf(parseMarkdown(markdown)).map((heading) => heading.anchor)).toContain(anchor)
  }
})
