import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listedTool } from '@/lib/mcp/listed-tools'
import { tools } from '@/lib/mcp/tools'
import { propertiesIn } from './match'

const here = import.meta.dirname
const sources = readdirSync(here).filter((name) => !name.endsWith('.test.ts'))
const text = sources.map((name) => readFileSync(join(here, name), 'utf8')).join('\n')
const listed = tools.map((tool) => listedTool(tool, 'own'))

test('the planner’s source names no tool', () => {
  expect(sources.length).toBeGreaterThan(5)
  // A name that is one word is a word of the language too.
  const names = [...listed, ...tools.map((tool) => listedTool(tool, 'safe'))].map(({ name }) => name)
  for (const name of names.filter((each) => /[._]/.test(each))) expect(text).not.toContain(name)
})

test('nor an argument of its own, nor one of several words: it has to read them', () => {
  const named = new Set(
    listed.flatMap(({ inputSchema }) => propertiesIn(JSON.parse(JSON.stringify(inputSchema))).map(([name]) => name)),
  )
  const own = [...named].filter((name) => /[a-z][A-Z]/.test(name))
  expect(own.length).toBeGreaterThan(20)
  expect(own.filter((name) => text.includes(name))).toEqual([])
})
