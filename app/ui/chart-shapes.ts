import { extent, max, sum } from 'd3-array'
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale'
import { line as pathOf } from 'd3-shape'

/** The height of a picture in pixels, with room above its highest mark for the word on it. Across, everything is in percent. */
export const CHART_HEIGHT = 200
const ROOM = 18

/** The color of a part by its order or meaning; the colors are easy to tell apart in both themes. */
export type Tone = 'first' | 'second' | 'third' | 'fault'

/** One line or one kind of bar: its name, its color, and a value for each place; null where it is not known. */
export type Series = { name: string; tone: Tone; values: readonly (number | null)[] }

/** The percent of a width, and pixels, to two decimals. */
export const rounded = (value: number) => Math.round(value * 100) / 100

const valuesOf = (series: readonly Series[]) => series.flatMap(({ values }) => values.filter((value) => value !== null))

/**
 * The upright scale of a picture, from zero or below, with its marks. Counts have whole marks only. `fit` begins at the least value instead, for
 * lines without an axis.
 */
export function scaleOf(
  series: readonly Series[],
  { whole = false, fit = false, height = CHART_HEIGHT, room = ROOM } = {},
) {
  const [least = 0, most = 0] = extent(valuesOf(series))
  const isFlat = least >= 0 && most <= 0
  const first = fit && least < most ? least : Math.min(0, least)
  const scale = scaleLinear([first, isFlat ? 1 : Math.max(0, most)], [height, room])
  if (!fit) scale.nice(4)
  const marks = scale.ticks(4).filter((value) => !whole || Number.isInteger(value))
  return {
    y: (value: number) => rounded(scale(value)),
    marks: marks.map((value) => ({ value, y: rounded(scale(value)) })),
  }
}

type Scale = ReturnType<typeof scaleOf>

/** A bar: where it stands, and whose it is. */
export type BarShape = { series: number; place: number; x: number; width: number; y: number; height: number }

/** The least height of a bar of something, so that a small one stays visible. */
const LEAST = 1.5

/** Places bars: side by side in each place, or all from the same line, where those after stand before the others. */
export function barsOf(series: readonly Series[], { y }: Scale, { beside = false, places = placesOf(series) } = {}) {
  const bands = scaleBand<number>(seriesRange(places), [0, 100]).paddingInner(0.25).paddingOuter(0.125)
  const inner = scaleBand<number>(seriesRange(beside ? series.length : 1), [0, bands.bandwidth()]).paddingInner(
    beside ? 0.08 : 0,
  )
  return series.flatMap(({ values }, of) =>
    values.flatMap((value, place): BarShape[] => {
      if (!value) return []
      const end = y(value)
      const height = Math.max(LEAST, Math.abs(y(0) - end))
      const x = (bands(place) ?? 0) + (inner(beside ? of : 0) ?? 0)
      return [
        {
          series: of,
          place,
          x: rounded(x),
          width: rounded(inner.bandwidth()),
          y: rounded(value < 0 ? y(0) : y(0) - height),
          height: rounded(height),
        },
      ]
    }),
  )
}

const placesOf = (series: readonly Series[]): number => max(series, ({ values }) => values.length) ?? 0
const seriesRange = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Returns the middle of each of some places, in percent; `bars` leaves room at both ends, as bars need it. */
export function middlesOf(places: number, kind: 'bars' | 'lines'): number[] {
  const points = scalePoint<number>(seriesRange(places), [0, 100]).padding(kind === 'bars' ? 0.5 : 0)
  return seriesRange(places).map((place) => rounded(points(place) ?? 0))
}

/** Returns the path of a line over places of 0 to 100 across; it has a gap where a value is not known. */
export function lineOf(values: readonly (number | null)[], { y }: Scale, kind: 'bars' | 'lines' = 'lines'): string {
  const across = middlesOf(values.length, kind)
  const path = pathOf<number | null>()
    .defined((value) => value !== null)
    .x((_, place) => across[place] ?? 0)
    .y((value) => y(value ?? 0))
  return path([...values]) ?? ''
}

/** Pixels of a character of a name below a picture, at most, and between two names. */
const CHARACTER = 7
const BETWEEN = 8

/** A name below a picture: the place it names, and where it stands, in percent. One that would leave the picture begins or ends there. */
type NameBelow = { place: number; x: number; anchor: 'start' | 'middle' | 'end' }

/**
 * Chooses which places are named below a picture and where: at most `most`, evenly, the last one among them, so that no name touches another.
 * @param across the middles of the places, in percent
 * @param longest the characters of the longest name
 * @param width the pixels of the picture at least
 * @param of the places that may be named
 */
export function namesBelow(
  across: readonly number[],
  { longest, width, most, of = seriesRange(across.length) }: NamesBelow,
): NameBelow[] {
  const half = ((longest * CHARACTER) / 2 / width) * 100
  const apart = 2 * half + (BETWEEN / width) * 100
  const placed = of.map((place) => {
    const at = across[place] ?? 0
    if (at < half) return { place, x: at, anchor: 'start' as const, middle: at + half }
    if (at > 100 - half) return { place, x: at, anchor: 'end' as const, middle: at - half }
    return { place, x: at, anchor: 'middle' as const, middle: at }
  })
  for (let step = Math.max(1, Math.ceil(of.length / most)); ; step++) {
    const named = placed.filter((_, at) => (of.length - 1 - at) % step === 0)
    const isFree = named.every(({ middle }, at) => at === 0 || middle - (named[at - 1]?.middle ?? 0) >= apart)
    if (isFree) return named.map(({ place, x, anchor }) => ({ place, x, anchor }))
  }
}

type NamesBelow = { longest: number; width: number; most: number; of?: readonly number[] | undefined }

/** The least width of a part of something, in percent. */
const THIN = 0.4

/** Places the parts of a whole side by side, in percent. Parts of nothing are left out; a small one stays visible. */
export function partsOf(values: readonly number[]): { part: number; x: number; width: number }[] {
  const shown = values.map((value, part) => ({ part, value })).filter(({ value }) => value > 0)
  const whole = sum(shown, ({ value }) => value)
  const widths = shown.map(({ value }) => Math.max(THIN, (value / whole) * 100))
  const scale = scaleLinear([0, sum(widths)], [0, 100])
  let from = 0
  return shown.map(({ part }, at) => {
    const x = from
    from += widths[at] ?? 0
    return { part, x: rounded(scale(x)), width: rounded(scale(from) - scale(x)) }
  })
}
