import { expect, test } from 'vitest'
import { recognize } from './recognize'
import { SOURCE_FILES } from './registry'

const known = (header: string[]) => {
  const found = recognize(header)
  return found && `${found.source}: ${found.file}, ${found.confidence}`
}

test.each(SOURCE_FILES.map((file) => [`${file.source}: ${file.file}`, file] as const))(
  '%s is recognized in any order, whatever case and punctuation its columns have',
  (name, { header }) => {
    expect(known(header)).toBe(`${name}, 1`)
    expect(known([...header].reverse().map((each) => ` ${each.toUpperCase()}. `))).toBe(`${name}, 1`)
    // Without one of its columns it is none, or another file that needs fewer.
    expect(known(header.slice(1))).not.toBe(`${name}, 1`)
  },
)

test('our own files and strangers are no vendor’s', () => {
  for (const header of [
    ['Customer ID', 'Name', 'Email', 'Phone'],
    ['Invoice Number', 'Project ID', 'Amount', 'Date'],
    ['Payment ID', 'Invoice Number', 'Amount', 'Date'],
    ['When', 'Who', 'How much'],
    [],
  ])
    expect(known(header)).toBeUndefined()
})

test('a header with the columns of two files is the one that has more of them; a tie has less confidence and names the other', () => {
  const headerOf = (of: string, report: string) =>
    SOURCE_FILES.find(({ source, file }) => source === of && file === report)?.header ?? []
  expect(known([...headerOf('Jobber', 'Transactions'), 'Name'])).toBe('Jobber: Transactions, 1')
  const tie = recognize([...headerOf('Jobber', 'Transactions'), ...headerOf('Jobber', 'Clients')])
  expect([tie?.confidence, tie?.others.length]).toEqual([0.5, 1])
})
