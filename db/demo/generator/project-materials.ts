import type { Project } from './projects'

/** What a project takes: a line of `project-materials.csv`. */
export type ProjectMaterial = { project: string; item: string; quantity: number; unit: string }

const AHEAD = ['estimate', 'scheduled', 'in_progress']

/** The lists of shingle roofs that are still ahead or under way: three bundles a square and a tenth more, and what goes with them. */
export function makeProjectMaterials(projects: Project[]): ProjectMaterial[] {
  return projects.flatMap(({ id, name, status }) => {
    const squares = Number(/^Re-roof, architectural shingle, (\d+) sq/.exec(name)?.[1])
    if (!squares || !AHEAD.includes(status)) return []
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
