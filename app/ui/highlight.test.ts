import { expect, test } from 'vitest'
import { highlight, type Language, languageOf } from './highlight'

const kinds = (code: string, language: Language) =>
  highlight(code, language)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ text, kind }) => `${kind}:${text}`)

test('highlight: each language by its own grammar', () => {
  expect(kinds('curl -G "$API" # go', 'shell')).toEqual(['word:-G', 'string:"$API"', 'note:# go'])
  expect(kinds('{"a": "b", "n": -1.5, "x": null}', 'json')).toEqual([
    'name:"a"',
    'string:"b"',
    'name:"n"',
    'word:-1.5',
    'name:"x"',
    'word:null',
  ])
  expect(kinds("const a = f('x') // why", 'typescript')).toEqual(['word:const', 'name:f', "string:'x'", 'note:// why'])
  expect(kinds('def f(a): # why', 'python')).toEqual(['word:def', 'name:f', 'note:# why'])
  expect(kinds('const', 'text')).toEqual([])
})

test.each(['shell', 'json', 'typescript', 'python', 'text'] as const)(
  'highlight: %s pieces join to the original code',
  (language) => {
    const code = 'a "unclosed\n`b\n\n# \'c\' {"d": [1, true]} /* e */ $F --g\n'
    expect(
      highlight(code, language)
        .map(({ text }) => text)
        .join(''),
    ).toBe(code)
  },
)

test('languageOf: the names used in Markdown fences', () => {
  expect(['sh', 'json', 'ts', 'python', 'csv'].map(languageOf)).toEqual([
    'shell',
    'json',
    'typescript',
    'python',
    'text',
  ])
})
