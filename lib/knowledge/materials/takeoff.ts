import { z } from 'zod'
import { ConcreteFooting, concreteFooting } from './assemblies/concrete-footing'
import { ConcreteSlab, concreteSlab } from './assemblies/concrete-slab'
import { Deck, deck } from './assemblies/deck'
import { Drywall, drywall } from './assemblies/drywall'
import { Fence, fence } from './assemblies/fence'
import { Flooring, flooring } from './assemblies/flooring'
import { FramedWall, framedWall } from './assemblies/framed-wall'
import { GravelBase, gravelBase } from './assemblies/gravel-base'
import { Insulation, insulation } from './assemblies/insulation'
import { Paint, paint } from './assemblies/paint'
import { Roofing, roofing } from './assemblies/roofing'
import { Siding, siding } from './assemblies/siding'
import { Tile, tile } from './assemblies/tile'
import { SYSTEMS, type System, type Takeoff } from './define'

/** One assembly to take off. `kind` selects it; the other fields are its dimensions. */
export const Assembly = z.discriminatedUnion('kind', [
  ConcreteSlab,
  ConcreteFooting,
  GravelBase,
  FramedWall,
  Drywall,
  Insulation,
  Roofing,
  Siding,
  Deck,
  Fence,
  Tile,
  Paint,
  Flooring,
])
export type Assembly = z.output<typeof Assembly>

/** The assemblies of another tool's input: its schema names their fields and leaves what they mean to that of the take-off. */
export const AssembliesBrief = z.array(Assembly).min(1).max(20).meta({ brief: true })

/** Input of a take-off. */
export const TakeoffInput = z
  .object({
    units: z.enum(SYSTEMS).default('imperial').describe('imperial: ft, in, ft2; metric: m, mm, m2'),
    assemblies: z.array(Assembly).min(1).max(20).describe('The pieces of work, each by itself'),
  })
  .strict()

/** Returns the materials for one assembly. @throws ServiceError `bad_request` when the dimensions cannot be built */
export function takeoff(assembly: Assembly, system: System): Takeoff {
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
  }
}
