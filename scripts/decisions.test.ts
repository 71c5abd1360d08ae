import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = 'docs/decisions'
const INDEX = readFileSync(`${FOLDER}/README.md`, 'utf8')
const records = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .map((name) => {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8')
    const title = /^# (?:\d{3} )?(.+)$/m.exec(text)?.[1]
    const [, date, status] = /^Date: (\d{4}-\d\d-\d\d)\. Status: (\w+)/m.exec(text) ?? []
    return { name, number: name.slice(0, 3), title, date, status }
  })

test('a decision has a unique number, a title, a date and a status', () => {
  expect(new Set(records.map(({ number }) => number)).size).toBe(records.length)
  for (const { name, title, date, status } of records)
    expect({ name, title, date, status: status === 'accepted' || status === 'replaced' }).toEqual({
      name,
      title: expect.any(String),
      date: expect.any(String),
      status: true,
    })
})

test('the index lists every decision with its title and status', () => {
  const rows = records.map(({ name, number, title, status }) => `| ${number} | [${title}](${name}) | ${status} |`)
  expect(INDEX.split('\n').filter((line) => /^\| \d/.test(line))).toEqual(rows)
})
