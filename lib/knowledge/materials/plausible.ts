import type * as z from 'zod'
import { type System, tidy } from './define'
import { inSystem, UNIT } from './measures'

/** The quantity a number measures: lengths in ft or m, small lengths in in or mm, areas in ft2 or m2, or a plain count, ratio or percent. */
type Measure = 'long' | 'small' | 'area' | 'plain'

/** The values that a field usually has, in imperial units, and the reason, with its source where there is one. */
export type Plausible = { in: Measure; least: number; most: number; why: string }

/** A range for every number of an assembly's input. A field without one does not compile. */
export type Ranges<S extends z.ZodObject> = {
  [K in keyof z.output<S> as NonNullable<z.output<S>[K]> extends number ? K : never]-?: Plausible
}

/** The metric per imperial unit: 0.3048 m/ft, 25.4 mm/in, 0.09290304 m2/ft2, all exact (NIST Special Publication 811, appendix B). */
export const METRIC_PER_IMPERIAL: Record<Measure, number> = { long: 0.3048, small: 25.4, area: 0.09290304, plain: 1 }
const unitOf = (measure: Measure, system: System): string => (measure === 'plain' ? '' : ` ${UNIT[system][measure]}`)

/** Sizes sold in one system are a little beyond the other's round numbers: 610 mm is sold as 24 in. */
const TOLERANCE = 1.01

/**
 * The factor beyond the range up to which a user can confirm a value. The smallest mix-up of units is a factor of 3.28 (feet for meters),
 * so a value that is further out is a mistake and not an unusual job.
 */
const CONFIRMABLE = 3

/** A field whose value is outside its range, as a question, and whether a user's word can settle it. */
export type Doubt = { field: string; message: string; confirmable: boolean }

const rounded = (value: number): string => String(Number(value.toPrecision(3)))

/** Returns what the value would be if it had been given in the other system, when that is plausible. */
function mixUp(given: number, { in: measure, least, most }: Plausible, system: System): string {
  const factor = METRIC_PER_IMPERIAL[measure]
  if (factor === 1) return ''
  const [other, inImperial]: [System, number] = system === 'imperial' ? ['metric', given / factor] : ['imperial', given]
  if (inImperial < least || inImperial > most) return ''
  return ` ${tidy(given)}${unitOf(measure, other)} would be usual: is the unit right? If the work is in ${other} units, set units.`
}

function doubtOf(field: string, given: number, range: Plausible, system: System): Doubt | undefined {
  const factor = system === 'imperial' ? 1 : METRIC_PER_IMPERIAL[range.in]
  const [least, most] = [range.least * factor, range.most * factor]
  if (given >= least / TOLERANCE && given <= most * TOLERANCE) return undefined
  const unit = unitOf(range.in, system)
  const confirmable = given >= least / CONFIRMABLE && given <= most * CONFIRMABLE
  const next = confirmable
    ? 'Ask the user; if it is right, name this field in confirmed.'
    : 'Ask the user for the right value and unit.'
  const usual = `${rounded(least)} to ${rounded(most)}${unit}`
  return {
    field,
    message: `${tidy(given)}${unit} was given; ${usual} is usual: ${inSystem(range.why, system)}.${mixUp(given, range, system)} ${next}`,
    confirmable,
  }
}

/** The numbers of an input that are outside their ranges. */
export function doubtsOf(input: object, ranges: Record<string, Plausible>, system: System): Doubt[] {
  return Object.entries(input).flatMap(([field, given]) => {
    const range = ranges[field]
    const doubt = typeof given === 'number' && range ? doubtOf(field, given, range, system) : undefined
    return doubt ? [doubt] : []
  })
}

/** The ranges that several assemblies share. */
export const COUNTS: Plausible = { in: 'plain', least: 0, most: 100, why: 'one piece of work has at most about 100' }
export const WASTE: Plausible = {
  in: 'plain',
  least: 0,
  most: 30,
  why: 'estimators add 3 to 20 percent, and up to 30 for small rooms and steep, cut-up roofs',
}
export const SIDE: Plausible = {
  in: 'long',
  least: 1,
  most: 300,
  why: 'the sides of one slab, roof, deck or floor of a house are up to 300 ft long',
}
export const EXTENT: Plausible = {
  in: 'long',
  least: 1,
  most: 2_000,
  why: 'walls and footings of one house come to at most 2,000 ft (600 m)',
}
export const ROOM_HEIGHT: Plausible = {
  in: 'long',
  least: 3,
  most: 24,
  why: 'rooms are at least 7 ft high (IRC R305.1), wainscots and half walls 3 ft, and two stories 20 ft',
}
export const SURFACE: Plausible = {
  in: 'area',
  least: 1,
  most: 50_000,
  why: 'one piece of work covers at most about an acre (43,560 ft2)',
}
export const PART: Plausible = {
  ...SURFACE,
  least: 0,
  most: 10_000,
  why: 'a part of a house covers at most 10,000 ft2 (930 m2)',
}
export const BOX: Plausible = { in: 'area', least: 2, most: 60, why: 'a box of tile or flooring covers 5 to 40 ft2' }
