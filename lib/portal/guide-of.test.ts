import { expect, test } from 'vitest'
import { guideSources } from '@/lib/guides/source'
import { guideOf, LINKED_GUIDES } from './guide-of'

test.each([
  ['/keys', 'authentication'],
  ['/leads/del_1', 'leads'],
  ['/data/load', 'loading-files'],
  ['/invoices', 'reading-data'],
  ['/developers/api/create_lead', 'leads'],
  ['/mcp/console', 'agents'],
])('%s links to the guide %s', (path, slug) => expect(guideOf(path)?.slug).toBe(slug))

test('a page without a guide has no link; every linked guide exists with its title', () => {
  for (const path of ['/', '/keysx', '/developers/guides/leads']) expect(guideOf(path)).toBeUndefined()
  const titles = new Map(guideSources().map(({ slug, title }) => [slug, title]))
  for (const [slug, title] of LINKED_GUIDES) expect(titles.get(slug), slug).toBe(title)
})
