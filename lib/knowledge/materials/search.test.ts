import { expect, test } from 'vitest'
import { searchItems, similarity, trigrams } from './search'

const item = (item: string, name: string, trade: string | null = null) => ({
  item,
  name,
  trade,
  unit: 'each',
  currency: 'USD',
})
const BOOK = [
  item('shingle-architectural', 'Architectural shingles', 'roofing'),
  item('starter-strip', 'Starter strip, 105 ft', 'roofing'),
  item('underlayment-synthetic-10sq', 'Synthetic underlayment, 10 squares', 'roofing'),
  item('drywall-1-2-4x8', 'Drywall 1/2 in, 4 x 8 ft', 'drywall'),
  item('joint-compound-4.5gal', 'Joint compound, 4.5 gal', 'drywall'),
  item('insulation-r13-batt', 'Insulation batts R-13, bag', 'insulation'),
  item('insulation-r38-batt', 'Insulation batts R-38, bag', 'insulation'),
  item('concrete-ready-mix', 'Ready-mix concrete', 'concrete'),
  item('osb-7-16-4x8', 'OSB sheathing 7/16 in', 'framing'),
]

test('similarity is twice the shared trigrams divided by those of both', () => {
  // "  s"," sh","shi","hin","ing","ngl","gle","le " and "  s"," sh","shi","hin","ing","nge","gel","el " share 5 of 8 + 8.
  expect(similarity(trigrams('shingle'), trigrams('shingel'))).toBe(10 / 16)
  expect(similarity(trigrams('tile'), trigrams('tile'))).toBe(1)
})

test.each([
  ['archtectural shingel', 'shingle-architectural'],
  ['drywal', 'drywall-1-2-4x8'],
  ['dry wall', 'drywall-1-2-4x8'],
  ['concreet', 'concrete-ready-mix'],
  ['undrlayment', 'underlayment-synthetic-10sq'],
  ['R38 insulation', 'insulation-r38-batt'],
  ['insullation r-13', 'insulation-r13-batt'],
  ['sheething', 'osb-7-16-4x8'],
  ['joint-compound-4.5gal', 'joint-compound-4.5gal'],
])('%s finds %s first', async (query, first) => {
  expect((await searchItems(BOOK, query))[0]?.item).toBe(first)
})

test.each(['', '   ', '%_', 'xylophone', 'granite countertop'])('%j finds nothing', async (query) => {
  expect(await searchItems(BOOK, query)).toEqual([])
})

test('an item is found among ten thousand others', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => item(`item-${i}`, `Fitting ${i} brass elbow`, 'plumbing'))
  expect(await searchItems([...many, ...BOOK], 'architectural shingle brown')).toEqual([])
  expect((await searchItems([...many, ...BOOK], 'shingel'))[0]?.item).toBe('shingle-architectural')
})
