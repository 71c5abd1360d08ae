import { expect, test } from 'vitest'
import { csvFile } from './csv-file'

test('a file is read to its last page, past pages without rows, and no further', async () => {
  const pages = [{ rows: [['a', 1]] }, { rows: [] }, { rows: [['=b', null]], isLast: true }]
  let read = 0
  const answer = csvFile('things.csv', ['name', 'n'], async () => ({ isLast: false, rows: [], ...pages[read++] }))
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="things.csv"')
  // Read as bytes, because reading it as text takes the mark away.
  expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe("\ufeffname,n\na,1\n'=b,\n")
  expect(read).toBe(pages.length)
})

test('a file without rows is its header', async () => {
  expect(await csvFile('none.csv', ['name'], async () => ({ rows: [], isLast: true })).text()).toBe('name\n')
})
