import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { BLOCK_RANGES, BlockWall, blockWall } from './assemblies/block-wall'
import { ConcreteFooting, concreteFooting, FOOTING_RANGES } from './assemblies/concrete-footing'
import { ConcreteSlab, concreteSlab, SLAB_RANGES } from './assemblies/concrete-slab'
import { DECK_RANGES, Deck, deck } from './assemblies/deck'
import { DRYWALL_RANGES, Drywall, drywall } from './assemblies/drywall'
import { FENCE_RANGES, Fence, fence } from './assemblies/fence'
import { FIBER_CEMENT_RANGES, FiberCement, fiberCement } from './assemblies/fiber-cement'
import { FLOORING_RANGES, Flooring, flooring } from './assemblies/flooring'
import { FramedWall, framedWall, WALL_RANGES } from './assemblies/framed-wall'
import { GRAVEL_RANGES, GravelBase, gravelBase } from './assemblies/gravel-base'
import { GUTTER_RANGES, Gutters, gutters } from './assemblies/gutters'
import { INSULATION_RANGES, Insulation, insulation } from './assemblies/insulation'
import { PAINT_RANGES, Paint, paint } from './assemblies/paint'
import { PIER_RANGES, PierFooting, pierFooting } from './assemblies/pier-footing'
import { RAILING_RANGES, Railing, railing } from './assemblies/railing'
import { ROOFING_RANGES, Roofing, roofing } from './assemblies/roofing'
import { SIDING_RANGES, Siding, siding } from './assemblies/siding'
import { STAIR_RANGES, Stairs, stairs } from './assemblies/stairs'
import { TILE_RANGES, Tile, tile } from './assemblies/tile'
import { OPENING_RANGES, WindowsDoors, windowsDoors } from './assemblies/windows-doors'
import { SYSTEMS, type System, type Takeoff } from './define'
import { inSystem } from './measures'
import { doubtsOf, type Plausible } from './plausible'

/** A kind's schema whose error for an unknown field names the fields that the kind takes, because the list of tools does not. */
const told = <S extends z.ZodObject<{ kind: z.ZodLiteral<string> }>>(schema: S): S => {
  const { kind, ...fields } = schema.shape
  const takes = `${kind.value} takes ${Object.keys(fields).join(', ')}`
  const error: z.core.$ZodErrorMap = (issue) =>
    issue.code === 'unrecognized_keys' ? `has no ${issue.keys.join(', ').slice(0, 200)}; ${takes}` : undefined
  return schema.clone({ ...schema.def, error })
}

/** An assembly to take off. `kind` selects it; the other fields are its dimensions. */
export const Assembly = z.discriminatedUnion('kind', [
  told(ConcreteSlab),
  told(ConcreteFooting),
  told(GravelBase),
  told(FramedWall),
  told(Drywall),
  told(Insulation),
  told(Roofing),
  told(Siding),
  told(Deck),
  told(Fence),
  told(Tile),
  told(Paint),
  told(Flooring),
  told(BlockWall),
  told(FiberCement),
  told(Gutters),
  told(WindowsDoors),
  told(PierFooting),
  told(Stairs),
  told(Railing),
])
export type Assembly = z.output<typeof Assembly>

/** The plausible range of each number of each kind. */
export const RANGES: Record<Assembly['kind'], Record<string, Plausible>> = {
  concrete_slab: SLAB_RANGES,
  concrete_footing: FOOTING_RANGES,
  gravel_base: GRAVEL_RANGES,
  framed_wall: WALL_RANGES,
  drywall: DRYWALL_RANGES,
  insulation: INSULATION_RANGES,
  roofing: ROOFING_RANGES,
  siding: SIDING_RANGES,
  deck: DECK_RANGES,
  fence: FENCE_RANGES,
  tile: TILE_RANGES,
  paint: PAINT_RANGES,
  flooring: FLOORING_RANGES,
  railing: RAILING_RANGES,
  stairs: STAIR_RANGES,
  pier_footing: PIER_RANGES,
  windows_doors: OPENING_RANGES,
  gutters: GUTTER_RANGES,
  fiber_cement_siding: FIBER_CEMENT_RANGES,
  block_wall: BLOCK_RANGES,
}

/** Unusual values that the user confirmed, by the fields that a question named. */
export const Confirmed = z.array(z.string().min(1).max(60)).max(100).default([])

/** The assemblies of another tool's input: its schema names their fields and leaves what they mean to that of the take-off. */
export const AssembliesBrief = z.array(Assembly).min(1).max(20).meta({ brief: true })

/** The input of a take-off. */
export const TakeoffInput = z
  .object({
    units: z.enum(SYSTEMS).default('imperial').describe('imperial: ft, in, ft2; metric: m, mm, m2'),
    assemblies: z.array(Assembly).min(1).max(20).describe('The pieces of work, each by itself'),
    confirmed: Confirmed.describe('Fields whose unusual value the user confirmed, such as assemblies.0.depth'),
  })
  .strict()

function calculated(assembly: Assembly, system: System): Takeoff {
  switch (assembly.kind) {
    case 'concrete_slab':
      return concreteSlab(assembly, system)
    case 'concrete_footing':
      return concreteFooting(assembly, system)
    case 'gravel_base':
      return gravelBase(assembly, system)
    case 'framed_wall':
      return framedWall(assembly, system)
    case 'drywall':
      return drywall(assembly, system)
    case 'insulation':
      return insulation(assembly, system)
    case 'roofing':
      return roofing(assembly, system)
    case 'siding':
      return siding(assembly, system)
    case 'deck':
      return deck(assembly, system)
    case 'fence':
      return fence(assembly, system)
    case 'tile':
      return tile(assembly, system)
    case 'paint':
      return paint(assembly, system)
    case 'flooring':
      return flooring(assembly, system)
    case 'railing':
      return railing(assembly, system)
    case 'stairs':
      return stairs(assembly, system)
    case 'pier_footing':
      return pierFooting(assembly, system)
    case 'windows_doors':
      return windowsDoors(assembly, system)
    case 'gutters':
      return gutters(assembly, system)
    case 'fiber_cement_siding':
      return fiberCement(assembly, system)
    case 'block_wall':
      return blockWall(assembly, system)
  }
}

/**
 * Returns the materials for one assembly, in the words of the system; its values are not checked here.
 * @throws ServiceError `bad_request` when the dimensions cannot be built
 */
export function takeoff(assembly: Assembly, system: System): Takeoff {
  const told = (text: string) => inSystem(text, system)
  try {
    const { lines, assumptions, notCounted } = calculated(assembly, system)
    return {
      lines: lines.map((line) => ({ ...line, item: told(line.item), wasteBasis: told(line.wasteBasis) })),
      assumptions: assumptions.map(told),
      notCounted: notCounted.map(told),
    }
  } catch (error) {
    throw error instanceof ServiceError ? new ServiceError(error.code, told(error.message)) : error
  }
}

/** The request for several take-offs: an input of estimate_takeoff, or the part of it that another tool takes. */
export type Asked = { assemblies: Assembly[]; units: System; confirmed: string[] }

/**
 * The materials of each assembly, in order.
 * @throws ServiceError `bad_request` with a question for each value outside its plausible range that was not confirmed, and
 * where something cannot be built as asked
 */
export function takeoffs({ assemblies, units, confirmed }: Asked): (Takeoff & { kind: Assembly['kind'] })[] {
  const doubts = assemblies
    .flatMap((assembly, at) =>
      doubtsOf(assembly, RANGES[assembly.kind], units).map((doubt) => ({
        ...doubt,
        field: `assemblies.${at}.${doubt.field}`,
      })),
    )
    .filter(({ field, confirmable }) => !(confirmable && confirmed.includes(field)))
  if (doubts.length === 0) return assemblies.map((assembly) => ({ kind: assembly.kind, ...takeoff(assembly, units) }))
  const fields = doubts.map(({ field, message }) => ({ field, message }))
  throw new ServiceError('bad_request', fields.map(({ field, message }) => `${field}: ${message}`).join(' '), {
    fields,
  })
}
