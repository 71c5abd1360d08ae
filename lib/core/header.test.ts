import { expect, test } from 'vitest'
import { cutHeader, elementsOf, mediaTypeOf, readElement } from './header'

test('a header is cut before it is taken apart', () => {
  expect(cutHeader('a'.repeat(20_000))).toHaveLength(1_000)
  expect(elementsOf(','.repeat(20_000))).toHaveLength(1_001)
  expect(mediaTypeOf(`${' '.repeat(15_000)}text/html`)).toBe('')
  expect(cutHeader(null)).toBe('')
})

test('elements and their parameters, in lower case and without white space around them', () => {
  expect(elementsOf(' gzip ; q=0 , *').map(readElement)).toEqual([
    { value: 'gzip', parameters: ['q=0'] },
    { value: '*', parameters: [] },
  ])
  expect(mediaTypeOf('Application/JSON ; charset=utf-8')).toBe('application/json')
  expect(mediaTypeOf(undefined)).toBe('')
})
