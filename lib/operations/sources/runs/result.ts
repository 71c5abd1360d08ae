import type { Source, SourceRun } from '@/db/queries/sources'

/** What a run came to, where it did not fail. */
export type RunResult = Pick<SourceRun, 'files' | 'added' | 'updated' | 'deleted' | 'refused'> & {
  outcome: 'loaded' | 'partial' | 'unchanged'
  loadId: string | null
  draftId: string | null
  /** What the source has seen now. */
  changes: Partial<Pick<Source, 'seen'>>
  /** There was nothing to look at, which says nothing about how the source is doing. */
  isIdle?: boolean
  /** There is more to do at once, or soon. */
  again?: 'now' | 'soon'
}

/** What a runner may use: where files go, when to end, and the moment taken as now. */
export type Running = { folder: string; signal: AbortSignal; now: Date }

/**
 * Does one run of a source.
 * @throws SourceProblem or ServiceError in words for whoever set it up; anything else is our fault
 */
export type Runner = (source: Source, running: Running) => Promise<RunResult>

/** Another load has the contractor's turn: the run is done a little later. */
export class Postponed extends Error {}
