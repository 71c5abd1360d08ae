import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'

export const SYSTEMS = ['imperial', 'metric'] as const
/** The units of a take-off's input and answer. Nothing is converted: the geometry is the same, but the products differ. */
export type System = (typeof SYSTEMS)[number]

/** Small units (for thickness and spacing) per long unit: inches per foot, millimeters per meter. */
export const SMALL_PER_LENGTH: Record<System, number> = { imperial: 12, metric: 1000 }

/** A material's sales unit: one `unit` holds `holds` net units, and orders are multiples of `step` (default 1). */
export type Pack = { key: string; item: string; net: string; unit: string; holds: number; step?: number }
export type Product = Record<System, Pack>

/** A product that is counted by the piece, the same in both systems. */
export const each = (key: string, item: string): Product => {
  const pack = { key, item, net: 'each', unit: 'each', holds: 1 }
  return { imperial: pack, metric: pack }
}

/** The extra material for cuts and losses, in percent, and the reason for that figure. */
export type Waste = { percent: number; basis: string }

/** An item to buy. `key` is the item's name in the price book. */
export type TakeoffLine = {
  key: string
  item: string
  netQuantity: number
  netUnit: string
  wastePercent: number
  wasteBasis: string
  /** What to buy for this assembly alone, in whole steps. */
  orderQuantity: number
  orderUnit: string
  /** The same before it is rounded up, and the step of an order, so that assemblies are rounded once together. */
  exact: number
  step: number
}

export type Takeoff = { lines: TakeoffLine[]; assumptions: string[]; notCounted: string[] }

/** The waste of items that are counted piece by piece and never cut. */
export const COUNTED: Waste = { percent: 0, basis: 'counted piece by piece' }

/** The caller's waste percent when given, otherwise the assembly's default. */
export const wasteOf = (given: number | undefined, percent: number, basis: string): Waste =>
  given === undefined ? { percent, basis } : { percent: given, basis: 'as given with the request' }

/** Rounds up to a multiple of `step`. Ignores floating-point error below 1e-9, which would otherwise add a piece. */
export function roundUp(quantity: number, step = 1): number {
  return tidy(Math.ceil(quantity / step - 1e-9) * step)
}

/** Rounds a quantity to three decimals, which removes floating-point noise. */
export const tidy = (quantity: number): number => Number(quantity.toFixed(3))

/** Returns one take-off line: the net quantity (in the pack's net unit) plus waste, rounded up to whole packs. */
export function line(product: Product, system: System, net: number, waste: Waste): TakeoffLine {
  const { key, item, net: netUnit, unit, holds, step = 1 } = product[system]
  const exact = (net * (1 + waste.percent / 100)) / holds
  return {
    key,
    item,
    netQuantity: tidy(net),
    netUnit,
    wastePercent: waste.percent,
    wasteBasis: waste.basis,
    orderQuantity: roundUp(exact, step),
    orderUnit: unit,
    exact,
    step,
  }
}

/** Subtracts the openings from an area. @throws ServiceError `bad_request` when nothing is left */
export function lessOpenings(area: number, openings: number): number {
  if (openings < area) return area - openings
  throw new ServiceError('bad_request', 'The openings are as large as the surface or larger. Check the dimensions.')
}

/** Returns the number of members at equal spacing along a length, including both ends: ceil(length / spacing) + 1. */
export const atSpacing = (length: number, spacing: number): number => roundUp(length / spacing) + 1

type Stock = Record<System, number[]>
/** Stock lengths of lumber and deck boards, in ft and m. */
export const LUMBER: Stock = { imperial: [8, 10, 12, 14, 16, 20], metric: [2.4, 3, 3.6, 4.2, 4.8, 6] }
/** Stock lengths of pickets. */
export const PICKETS: Stock = { imperial: [3, 4, 5, 6, 8], metric: [0.9, 1.2, 1.5, 1.8, 2.4] }

/**
 * Returns the shortest stock length that a piece can be cut from, formatted as in item keys. @throws ServiceError `bad_request`
 * when the piece is longer than any stock length
 */
export function stockLength(system: System, piece: number, stock = LUMBER): string {
  const unit = system === 'imperial' ? 'ft' : 'm'
  const length = stock[system].find((sold) => sold >= piece - 1e-9)
  if (length !== undefined) return `${length}${unit}`
  const longest = `${stock[system].at(-1)} ${unit}`
  throw new ServiceError(
    'bad_request',
    `A piece of ${tidy(piece)} ${unit} is longer than it is sold (${longest}). Split the work.`,
  )
}

const dimension = (units: string, what: string | undefined) =>
  z
    .number()
    .positive()
    .max(10_000)
    .describe(what === undefined ? units : `${what}, ${units}`)

/**
 * Field schemas for an assembly's input. Long dimensions are in ft or m, small ones in in or mm, areas in ft2 or m2. What the field's
 * name says already is not said again, because a model reads every word of a list of tools.
 */
export const long = (what?: string) => dimension('ft or m', what)
export const small = (what?: string) => dimension('in or mm', what)
export const area = (what: string) => z.number().positive().max(1_000_000).describe(`${what}, ft2 or m2`)
export const noneOrArea = (what: string) => z.number().min(0).max(1_000_000).default(0).describe(`${what}, ft2 or m2`)
export const count = (what: string) => z.int().min(0).max(1_000).default(0).describe(what)
/** The one wording of every kind with corners, because their defaults differ. */
export const CORNERS = 'Outside corners; when left out 4 of siding, else 0'
/** The one wording for framed walls and decks, whose defaults differ. */
export const LUMBER_SAID = 'Studs, 2x4 when left out, or deck joists, by span when left out'
/** The one wording for roofs and decks. */
export const OVERHANG = 'Eaves past walls whose plan is given, or joists past the beam, ft or m'
/** The waste in percent. It has no description, because the tool's description already covers it once for all assemblies. */
export const wastePercent = z.number().min(0).max(50).optional()
