import { ServiceError } from '@/lib/core/errors'
import { SMALL_PER_LENGTH, type System, tidy } from './define'

export const JOISTS = ['2x6', '2x8', '2x10', '2x12'] as const
export type Joist = (typeof JOISTS)[number]

/** Groups of species of one table. Hem-fir and spruce-pine-fir stand with Douglas fir-larch; western cedars and red pine with redwood. */
export const SPECIES = ['southern_pine', 'douglas_fir', 'redwood'] as const
export type Species = (typeof SPECIES)[number]

/** The spacings of the table, in inches. */
const SPACINGS = [12, 16, 24] as const
type Spacing = (typeof SPACINGS)[number]

const feet = (ft: number, inches: number): number => ft + inches / 12

/**
 * The longest spans of deck joists in feet: American Wood Council, DCA 6, Prescriptive Residential Wood Deck Construction Guide
 * (2012 IRC version), table 2: 40 psf live and 10 psf dead load, grade no. 2, wet service, deflection L/360.
 */
const SPANS: Record<Species, Record<Joist, Record<Spacing, number>>> = {
  southern_pine: {
    '2x6': { 12: feet(9, 11), 16: feet(9, 0), 24: feet(7, 7) },
    '2x8': { 12: feet(13, 1), 16: feet(11, 10), 24: feet(9, 8) },
    '2x10': { 12: feet(16, 2), 16: feet(14, 0), 24: feet(11, 5) },
    '2x12': { 12: feet(18, 0), 16: feet(16, 6), 24: feet(13, 6) },
  },
  douglas_fir: {
    '2x6': { 12: feet(9, 6), 16: feet(8, 4), 24: feet(6, 10) },
    '2x8': { 12: feet(12, 6), 16: feet(11, 1), 24: feet(9, 1) },
    '2x10': { 12: feet(15, 8), 16: feet(13, 7), 24: feet(11, 1) },
    '2x12': { 12: feet(18, 0), 16: feet(15, 9), 24: feet(12, 10) },
  },
  redwood: {
    '2x6': { 12: feet(8, 10), 16: feet(8, 0), 24: feet(6, 10) },
    '2x8': { 12: feet(11, 8), 16: feet(10, 7), 24: feet(8, 8) },
    '2x10': { 12: feet(14, 11), 16: feet(13, 0), 24: feet(10, 7) },
    '2x12': { 12: feet(17, 5), 16: feet(15, 1), 24: feet(12, 4) },
  },
}
const FT_PER_M = 1 / 0.3048
const MM_PER_IN = 25.4

/**
 * The longest span of a deck joist, in ft or m. Without species the shortest of the table's, which holds for all of them. A spacing
 * between the table's counts as the next wider one; 610 mm is sold as 24 in.
 * @throws ServiceError `bad_request` when the joists are further apart than 24 in
 */
export function longestSpan(joist: Joist, species: Species | undefined, spacing: number, system: System): number {
  const inches = system === 'imperial' ? spacing : spacing / MM_PER_IN
  const column = SPACINGS.find((each) => inches <= each + 0.1)
  if (column === undefined)
    throw new ServiceError(
      'bad_request',
      `Deck joists ${tidy(spacing)}${system === 'imperial' ? ' in' : ' mm'} apart are in no span table; DCA 6 ends at 24 in (610 mm). Give a closer joistSpacing.`,
    )
  const spans = (species ? [species] : SPECIES).map((each) => SPANS[each][joist][column])
  const ft = Math.min(...spans)
  return system === 'imperial' ? ft : ft / FT_PER_M
}

const inWords = (length: number, system: System): string => {
  if (system === 'metric') return `${length.toFixed(2)} m`
  const inches = Math.round(length * SMALL_PER_LENGTH.imperial)
  return `${Math.floor(inches / 12)} ft ${inches % 12} in`
}

/** The requirements for a deck's joists: their clear span, their spacing, and what the caller chose. */
export type JoistWork = {
  span: number
  spacing: number
  joist: Joist | undefined
  species: Species | undefined
  system: System
}

/**
 * The joist of a deck: the caller's, or the smallest that carries the span.
 * @throws ServiceError `bad_request` when the span is longer than DCA 6, table 2, allows; it says how far which size reaches
 */
export function joistFor({ span, spacing, joist, species, system }: JoistWork): Joist {
  const reaches = (each: Joist) => longestSpan(each, species, spacing, system)
  const fits = (each: Joist) => span <= reaches(each) + 1e-9
  if (joist && fits(joist)) return joist
  const smallest = JOISTS.find(fits)
  if (!joist && smallest) return smallest
  const wood = species ? species.replace('_', ' ') : 'every species of the table'
  const last = joist ?? '2x12'
  const instead = smallest
    ? `Use ${smallest}, closer joists or a beam nearer to the house.`
    : 'Place a beam in between and estimate each span as a deck of its own, or have it designed by an engineer.'
  throw new ServiceError(
    'bad_request',
    `Joists of ${last} at ${tidy(spacing)}${system === 'imperial' ? ' in' : ' mm'} on center span at most ${inWords(reaches(last), system)} in ${wood} (AWC DCA 6, table 2); this deck needs ${inWords(span, system)}. ${instead}`,
  )
}
