import { ServiceError } from '@/lib/core/errors'
import { type Pack, roundUp, type System, type TakeoffLine, tidy, type Waste } from './define'

/** Pieces to buy, and the length that gets into the work, laps included. */
export type Pieces = { count: number; placed: number }

/**
 * Returns the whole pieces of stock for `runs` runs of one `length`, in one unit. A run within a piece shares it with others that fit; a
 * longer one is made of whole pieces, each lapped by `lap`, and a rest that shares a piece with the rests of other runs.
 */
export function pieces(runs: number, length: number, stock: number, lap = 0): Pieces {
  if (runs === 0) return { count: 0, placed: 0 }
  const added = stock - lap
  const whole = length <= stock + 1e-9 ? 0 : roundUp((length - stock) / added)
  const rest = length - whole * added
  const perPiece = Math.max(1, Math.floor(stock / rest + 1e-9))
  return { count: runs * whole + roundUp(runs / perPiece), placed: runs * (length + whole * lap) }
}

/**
 * The stock length that leaves least over, and its pieces; of equal ones the longer, which has fewer joints. Where runs are joined
 * over supports, only whole spacings of a piece count. @throws ServiceError `bad_request` when no piece reaches over a spacing
 */
export function bestStock(runs: number, length: number, stock: number[], spacing?: number): Pieces & { stock: number } {
  const choices = stock.flatMap((sold) => {
    const usable = length > sold + 1e-9 && spacing ? Math.floor(sold / spacing + 1e-9) * spacing : sold
    return usable > 0 ? [{ ...pieces(runs, length, usable), stock: sold }] : []
  })
  if (choices.length === 0)
    throw new ServiceError(
      'bad_request',
      `Pieces are sold up to ${Math.max(...stock)} long and would be joined over supports ${tidy(spacing ?? 0)} apart, so none reaches. Put the supports closer.`,
    )
  return choices.reduce((best, each) => (each.count * each.stock <= best.count * best.stock + 1e-9 ? each : best))
}

/** Returns one take-off line of pieces that were counted with their laps and cuts: net is what gets into the work. */
export function cutLine(pack: Pack, { count, placed }: Pieces, waste: Waste): TakeoffLine {
  const exact = count * (1 + waste.percent / 100)
  return {
    key: pack.key,
    item: pack.item,
    netQuantity: tidy(placed),
    netUnit: pack.net,
    wastePercent: waste.percent,
    wasteBasis: waste.basis,
    orderQuantity: roundUp(exact),
    orderUnit: pack.unit,
    exact,
    step: 1,
  }
}

/** The waste of pieces whose cuts and laps are counted. */
export const CUT_TO_FIT: Waste = { percent: 0, basis: 'counted in whole pieces, cuts and laps included' }

/** Reinforcing bars as sold, and how far they are lapped. */
const BARS: Record<System, Pack & { lap: number; cover: number }> = {
  imperial: {
    key: 'rebar-4-20ft',
    item: 'Rebar #4, 20 ft bar',
    net: 'ft',
    unit: 'each',
    holds: 20,
    lap: 2.5,
    cover: 0.25,
  },
  metric: {
    key: 'rebar-12mm-6m',
    item: 'Rebar 12 mm, 6 m bar',
    net: 'm',
    unit: 'each',
    holds: 6,
    lap: 0.762,
    cover: 0.075,
  },
}

/** Returns the concrete cover over bars that is cast against the ground: 3 in, 75 mm (ACI 318, table 20.5.1.3.1; IRC R403.1.3.5.3). */
export const coverOf = (system: System): number => BARS[system].cover

/** The note on bars that were counted here. */
export const BARS_SAID: Record<System, string> = {
  imperial: 'Bars of #4, grade 60, lapped 30 in (IRC table R608.5.4(1)), 3 in of cover at the edges.',
  metric: 'Bars of 12 mm, grade 60, lapped 762 mm (IRC table R608.5.4(1)), 75 mm of cover at the edges.',
}

/**
 * Calculates reinforcing bars for sets of parallel bars, each set cut by itself. Bars longer than stock are lapped 30 in (762 mm): #4,
 * grade 60, IRC table R608.5.4(1).
 */
export function rebar(system: System, sets: { bars: number; length: number }[]): TakeoffLine {
  const { lap, ...pack } = BARS[system]
  const each = sets.map(({ bars, length }) => pieces(bars, length, pack.holds, lap))
  const sum = (pick: (set: Pieces) => number) => each.reduce((total, set) => total + pick(set), 0)
  return cutLine(pack, { count: sum(({ count }) => count), placed: sum(({ placed }) => placed) }, CUT_TO_FIT)
}
