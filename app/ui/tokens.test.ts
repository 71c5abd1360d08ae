import { readFileSync } from 'node:fs'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Badge } from './badge'
import { Field } from './field'
import { Notice } from './notice'

const SHEET = readFileSync('app/globals.css', 'utf8')
const TOKENS = new Map(
  [...SHEET.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

function color(name: string, theme: Theme): string {
  const token = TOKENS.get(name)
  if (!token) throw new Error(`globals.css has no color ${name}`)
  return token[theme]
}

/** The relative luminance of a color (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(name: string, ground: string, theme: Theme): number {
  const [high = 0, low = 0] = [name, ground].map((each) => luminance(color(each, theme))).sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const least = (name: string, grounds: string[]) =>
  Math.min(...THEMES.flatMap((theme) => grounds.map((ground) => contrast(name, ground, theme))))

const PAGE = ['ground', 'raised']
const EVERYWHERE = [...PAGE, 'sunken', 'selected']

test.each(['ink', 'ink-lighter', 'quiet', 'brand', 'danger', 'focus', 'good', 'warn'])(
  '%s can be read as text on every ground: at least 4.5 to 1',
  (name) => {
    expect(least(name, EVERYWHERE)).toBeGreaterThanOrEqual(4.5)
  },
)

test.each<[name: string, grounds: string[], least: number]>([
  ['edge', PAGE, 3.28],
  ['brand', PAGE, 5.49],
  ['danger', [...PAGE, 'danger-ground'], 5.99],
  ['focus', [...PAGE, 'selected'], 5.45],
  ...['series-1', 'series-2', 'series-3', 'ages-1', 'ages-2', 'ages-3', 'ages-4', 'ages-5'].map(
    (name): [string, string[], number] => [name, PAGE, 3],
  ),
])('%s on %s: at least %f to 1', (name, grounds, bound) => {
  expect(Number(least(name, grounds).toFixed(2))).toBeGreaterThanOrEqual(bound)
})

test('a button of the page’s main action can be read, also under the pointer', () => {
  for (const ground of ['ink', 'ink-lighter']) expect(least('ground', [ground])).toBeGreaterThanOrEqual(4.5)
})

test.each<[where: string, shows: () => ReactElement]>([
  ['a badge', () => Badge({ tone: 'danger', children: 'Failed' })],
  ['a notice', () => Notice({ tone: 'danger', children: 'Not saved' })],
  ['a field', () => Field({ label: 'Name', error: 'Enter a name.', children: () => null })],
])('danger in %s has an icon and a word, because its color is near the brand’s', (_, shows) => {
  const shown = renderToStaticMarkup(createElement(shows))
  expect(Math.max(...THEMES.map((theme) => contrast('brand', 'danger', theme)))).toBeLessThan(3)
  expect(shown).toMatch(/<svg aria-hidden="true".*<\/svg>/)
  expect(shown.replace(/<[^>]*>/g, '')).toMatch(/Failed|Not saved|Enter a name\./)
})
