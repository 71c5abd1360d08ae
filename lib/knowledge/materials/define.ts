import { z } from 'zod'
import { ServiceError } from '@/lib/core/errors'

export const SYSTEMS = ['imperial', 'metric'] as const
/** Which measures a take-off is given and answered in. Nothing is converted: the geometry is the same, the products differ. */
export type System = (typeof SYSTEMS)[number]

/** Small lengths (thickness, spacing) in one long one: inches in a foot, millimeters in a meter. */
export const SMALL_PER_LENGTH: Record<System, number> = { imperial: 12, metric: 1000 }

/** What is bought: `holds` of the net unit are in one of `unit`, which is sold in steps of `step` (1 when left out). */
export type Pack = { key: string; item: string; net: string; unit: string; holds: number; step?: number }
export type Product = Record<System, Pack>

/** What is added for what never gets into the work, in percent, and why that much. */
export type Waste = { percent: number; basis: string }

/** One thing to buy. `key` is the item's name in the price book. */
export type TakeoffLine = {
  key: string
  item: string
  netQuantity: number
  netUnit: string
  wastePercent: number
  wasteBasis: string
  orderQuantity: number
  orderUnit: string
}

export type Takeoff = { lines: TakeoffLine[]; assumptions: string[]; notCounted: string[] }

/** For what is counted piece by piece, so that nothing is cut. */
export const COUNTED: Waste = { percent: 0, basis: 'counted piece by piece' }

/** The waste of an assembly, or the caller's own instead. */
export const wasteOf = (given: number | undefined, percent: number, basis: string): Waste =>
  given === undefined ? { percent, basis } : { percent: given, basis: 'as given with the request' }

/** Rounds up to a step; what binary fractions add in the twelfth digit does not buy another piece. */
export function roundUp(quantity: number, step = 1): number {
  return tidy(Math.ceil(quantity / step - 1e-9) * step)
}

/** A quantity without the noise of binary fractions: three decimals. */
export const tidy = (quantity: number): number => Number(quantity.toFixed(3))

/** A line of a take-off: net quantity (in the pack's net unit), plus waste, in whole packs. */
export function line(product: Product, system: System, net: number, waste: Waste): TakeoffLine {
  const { key, item, net: netUnit, unit, holds, step } = product[system]
  return {
    key,
    item,
    netQuantity: tidy(net),
    netUnit,
    wastePercent: waste.percent,
    wasteBasis: waste.basis,
    orderQuantity: roundUp((net * (1 + waste.percent / 100)) / holds, step),
    orderUnit: unit,
  }
}

/** An area less its openings. @throws ServiceError `bad_request` when nothing is left */
export function lessOpenings(area: number, openings: number): number {
  if (openings < area) return area - openings
  throw new ServiceError('bad_request', 'The openings are as large as the surface or larger. Check the dimensions.')
}

/** How many at equal spacing along a length, with one at both ends: ceil(length / spacing) + 1. */
export const atSpacing = (length: number, spacing: number): number => roundUp(length / spacing) + 1

type Stock = Record<System, number[]>
const LUMBER: Stock = { imperial: [8, 10, 12, 14, 16, 20], metric: [2.4, 3, 3.6, 4.2, 4.8, 6] }
/** Lengths that pickets are sold in. */
export const PICKETS: Stock = { imperial: [3, 4, 5, 6, 8], metric: [0.9, 1.2, 1.5, 1.8, 2.4] }

/** The shortest stock length a piece is cut from, as item keys write it. @throws ServiceError `bad_request` when none is long enough */
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

/** Fields of an assembly's input. A long length is in ft or m, a small one in in or mm, an area in ft2 or m2. */
export const long = (what: string) => z.number().positive().max(10_000).describe(`${what}, ft or m`)
export const small = (what: string) => z.number().positive().max(10_000).describe(`${what}, in or mm`)
export const area = (what: string) => z.number().positive().max(1_000_000).describe(`${what}, ft2 or m2`)
export const noneOrArea = (what: string) => z.number().min(0).max(1_000_000).default(0).describe(`${what}, ft2 or m2`)
export const count = (what: string) => z.int().min(0).max(1_000).default(0).describe(what)
/** Not described thirteen times over in what a model reads: the tool's description says it once. */
export const wastePercent = z.number().min(0).max(50).optional()
