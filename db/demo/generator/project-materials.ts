import { ANCHOR } from './dates'
import type { Project } from './projects'

/** A material a project needs: one row of `project-materials.csv`. */
export type ProjectMaterial = { project: string; item: string; quantity: number; unit: string }

const AHEAD = ['estimate', 'scheduled', 'in_progress']
/** The days for which the list of a completed roof is kept. */
const KEPT = 180

const isListed = ({ status, end }: Project) =>
  AHEAD.includes(status) || (status === 'completed' && end !== undefined && end > ANCHOR - KEPT)

/**
 * Creates the material lists of shingle roofs that are planned, in progress or completed lately: three bundles per square plus ten percent, and the
 * accessories.
 */
export function makeProjectMaterials(projects: Project[]): ProjectMaterial[] {
  return projects.flatMap((project) => {
    const { id, name } = project
    const squares = Number(/^Re-roof, architectural shingle, (\d+) sq/.exec(name)?.[1])
    if (!squares || !isListed(project)) return []
    const perSquares = (many: number) => Math.ceil(squares / many)
    return [
      { project: id, item: 'shingle-architectural', quantity: Math.ceil((squares * 33) / 10), unit: 'bundle' },
      { project: id, item: 'underlayment-synthetic-10sq', quantity: perSquares(9), unit: 'roll' },
      { project: id, item: 'ridge-cap', quantity: perSquares(12), unit: 'bundle' },
      { project: id, item: 'starter-strip', quantity: perSquares(10), unit: 'bundle' },
      { project: id, item: 'drip-edge-10ft', quantity: perSquares(2) + 4, unit: 'each' },
    ]
  })
}
