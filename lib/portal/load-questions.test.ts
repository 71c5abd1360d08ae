import { expect, test } from 'vitest'
import { answersIn, choiceText, exampleOf, fieldOf, type Question, sentenceOf } from './load-questions'

const ASKED: Question = {
  kind: 'words',
  key: 'cm',
  file: 'sales.csv',
  line: 3,
  column: 'Type',
  value: 'CM',
  question: 'What does “CM” in Type mean? It is a type of document that is not known. Choose one of invoice, ignore.',
  choices: ['creditMemo', 'ignore'],
}

test('a question is asked without what a menu shows, and its choices are plain words', () => {
  expect(sentenceOf(ASKED)).toBe('What does “CM” in Type mean? It is a type of document that is not known.')
  expect(exampleOf(ASKED)).toBe('sales.csv, line 3: “CM”')
  expect(ASKED.choices.map((choice) => choiceText('words', choice))).toEqual(['Credit memo', 'Leave out'])
  expect(choiceText('dates', 'dmy')).toBe('Day first (03/02 is February 3)')
})

test('the answers of a form are read by their keys; what is not chosen is no answer', () => {
  const form = new FormData()
  for (const [name, value] of [
    [fieldOf('column:due'), 'none'],
    [fieldOf('dates'), ''],
    ['contractorId', 'con_1'],
  ] as const)
    form.set(name, value)
  expect(answersIn(form)).toEqual({ 'column:due': 'none' })
})
