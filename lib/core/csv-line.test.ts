import { describe, expect, test } from 'vitest'
import { csvLine } from './csv-line'

test.each([
  ['=1+1', "'=1+1"],
  ['+SUM(A1)', "'+SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['@cmd', "'@cmd"],
  ['\t=1', "'\t=1"],
  ['＝1+1', "'＝1+1"],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['-12.50', '-12.50'],
  ['+16155550142', '+16155550142'],
  ['--1', "'--1"],
  ['Smith', 'Smith'],
  ['', ''],
])('%j is written as %j', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\n`)
})

describe('lines', () => {
  test('cells with quotes, commas and line breaks are quoted; null is blank; numbers stay numbers', () => {
    expect(csvLine(['6" gutter', 'a,b', 'two\nlines', null, -7.5])).toBe('"6"" gutter","a,b","two\nlines",,-7.5\n')
    expect(csvLine(['\r=1', '=a,b'])).toBe('"\'\r=1","\'=a,b"\n')
  })
})
