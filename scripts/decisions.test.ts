import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = 'docs/decisions'
const INDEX = readFileSync(`${FOLDER}/README.md`, 'utf8')
const records = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .map((name) => {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8')
    const [, number, title] = /^# (\d{3}) (.+)$/m.exec(text) ?? []
    const [, date] = /^Date: (\d{4}-\d\d-\d\d)\. Status: accepted\.$/m.exec(text) ?? []
    const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, part]) => part)
    return { name, number, title, date, parts, words: text.split(/\s+/).length }
  })

test('there are at most 40 decisions, numbered without gaps', () => {
  expect(records.length).toBeLessThanOrEqual(40)
  expect(records.map(({ number }) => number)).toEqual(records.map((_, i) => String(i + 1).padStart(3, '0')))
  for (const { name, number } of records) expect(name.slice(0, 4)).toBe(`${number}-`)
})

test.each(records)('$name has a title, a date, its parts in order, and fits on a screen', (record) => {
  expect(record.title).toEqual(expect.any(String))
  expect(record.date).toEqual(expect.any(String))
  expect(record.parts.filter((part) => part !== 'Left out')).toEqual(['Context', 'Decision', 'Consequences'])
  expect(record.words).toBeLessThanOrEqual(550)
})

test('the index lists every decision with its title', () => {
  const rows = records.map(({ name, number, title }) => `| ${number} | [${title}](${name}) |`)
  const listed = INDEX.split('\n').filter((line) => /^\| \d/.test(line))
  expect(listed).toEqual(rows)
})

test('links of the documents lead to files', () => {
  const files = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  const dead = [...files, 'README.md', 'CHANGELOG.md'].flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '')
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|\{|\/|#)([^)#\s]+)/g)].map(([, link = '']) => link)
    return links.filter((link) => !existsSync(join(dirname(file), link))).map((link) => `${file}: ${link}`)
  })
  expect(dead).toEqual([])
})

test('the files that the glossary names exist', () => {
  const text = readFileSync('docs/glossary.md', 'utf8')
  const paths = [...text.matchAll(/`((?:lib|db|app|clients)\/[\w./-]*)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(25)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})
