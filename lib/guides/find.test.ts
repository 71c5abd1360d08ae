import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { findGuides } from './find'

const find = (query: string) => findGuides(query, loadEnv({})).map(({ title, section }) => [title, section])

test('guides are found by their title first, then by the words of one section, each once', () => {
  expect(find('errors limits')[0]?.[0]).toMatch(/errors/i)
  const found = find('retry-after')
  expect(found.length).toBeGreaterThan(0)
  expect(new Set(found.map(([title]) => title)).size).toBe(found.length)
  expect(find('no guide says qwertz')).toEqual([])
  expect(find('  ')).toEqual([])
})
