import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { deskOf } from '@/lib/core/desk'
import { Bars } from './chart-bars'
import { Lines } from './chart-lines'
import { RowBars } from './chart-rows'
import { StackedBar } from './stacked-bar'
import { Sparkline } from './stat'

type Month = { month: string; received: number }

const desk = deskOf(undefined, new Date('2026-11-20T08:30:00Z'))
const MONTHS: Month[] = [
  { month: 'Ōhio, Sept.', received: 1_200 },
  { month: 'Oct', received: 0 },
  { month: 'Nov', received: 800 },
]
const frame = {
  title: 'Received by month',
  label: 'Received by month: $2,000.00 in all',
  desk,
  figures: {
    rows: MONTHS,
    rowKey: ({ month }: Month) => month,
    columns: [
      { name: 'month', head: 'Month', kind: 'text' as const, value: ({ month }: Month) => month },
      { name: 'received', head: 'Received', kind: 'money' as const, value: ({ received }: Month) => received },
    ],
  },
}
const series = [{ name: 'Received', tone: 'first' as const, values: MONTHS.map(({ received }) => received) }]
const places = MONTHS.map(({ month }) => month)
const markText = desk.words.number

const PICTURES = {
  bars: createElement(Bars<Month>, { ...frame, series, places, markText, text: markText }),
  lines: createElement(Lines<Month>, { ...frame, series, places, markText }),
  rows: createElement(RowBars<Month>, { ...frame, most: 2, rows: [{ name: 'Won', value: 1, text: '1' }] }),
  stacked: createElement(StackedBar<Month>, {
    ...frame,
    scheme: 'ages',
    parts: [
      { name: 'Not yet due', value: 3, text: '$3.00' },
      { name: 'Late', value: 1, text: '$1.00' },
    ],
  }),
}

test.each(Object.entries(PICTURES))(
  '%s: a caption, a name in words, its figures as a table and a file, no style',
  (_, picture) => {
    const html = renderToStaticMarkup(picture)
    expect(html).toMatch(/<figcaption[^>]*><span id="(\w+)"[^>]*>Received by month<\/span>/)
    expect(html).toContain('aria-label="Received by month: $2,000.00 in all"')
    expect(html).toMatch(
      /<details[^>]*><summary[^>]*>Figures as a table<\/summary>.*<caption[^>]*>Received by month<\/caption>/,
    )
    // The page policy refuses style attributes, and a value that is no number would not be drawn.
    expect(html).not.toMatch(/ style=|NaN|undefined/)
    const [, file = ''] =
      /href="data:text\/csv;charset=utf-8,([^"]*)" download="received-by-month.csv"/.exec(html) ?? []
    expect(decodeURIComponent(file)).toBe('\uFEFFMonth,Received\n"Ōhio, Sept.",1200\nOct,0\nNov,800\n')
  },
)

/** Returns some attributes of each element of a name, in order. */
const attributes = (html: string, element: string, names: string[]) =>
  [...html.matchAll(new RegExp(`<${element} [^>]*`, 'g'))].map(([tag]) =>
    names.map((name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]).join(' '),
  )

test('bars: one for each value, as high as the scale says, and a place for the pointer with every value', () => {
  const html = renderToStaticMarkup(PICTURES.bars)
  expect(attributes(html, 'rect', ['x', 'width', 'y', 'height', 'class'])).toEqual([
    '4.17% 25% 18 182 fill-series-1',
    '70.83% 25% 78.67 121.33 fill-series-1',
    ...['0%', '33.33%', '66.67%'].map((x) => `${x} 33.33% 0 200 fill-transparent`),
  ])
  expect(html).toContain('<title>Ōhio, Sept.\nReceived 1,200</title>')
})

test('a stacked bar: its parts by value in the colors of their ages, 2 px apart', () => {
  const html = renderToStaticMarkup(PICTURES.stacked)
  expect(attributes(html, 'rect', ['x', 'width', 'class']).slice(0, 3)).toEqual([
    '0% 75% fill-ages-1',
    '75% 25% fill-ages-2',
    '75% 2 fill-raised',
  ])
})

test('a sparkline: a line over all its width, and where it ends', () => {
  const html = renderToStaticMarkup(createElement(Sparkline, { label: 'Open', values: [0, 10, 5] }))
  expect(attributes(html, 'path', ['d', 'class'])).toEqual(['M0,33L50,3L100,18 stroke-series-1'])
  expect(attributes(html, 'circle', ['cx', 'cy'])).toEqual(['100% 18'])
})
