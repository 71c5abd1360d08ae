import { expect, test } from 'vitest'
import { SeenReferences } from './seen'

test('remembers the first line of each of 200,000 references', () => {
  const seen = new SeenReferences()
  for (let i = 1; i <= 200_000; i++) expect(seen.firstLine(`R-${i}`, i)).toBeUndefined()
  for (let i = 1; i <= 200_000; i += 97) expect(seen.firstLine(`R-${i}`, 999_999)).toBe(i)
})
