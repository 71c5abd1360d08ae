import type { Source, SourceRun } from '@/db/queries/sources'
import { SourceProblem } from '@/lib/load/fetch/fetched'

/** The secret of a source was sealed with another EXTERNAL_API_TOKEN_SECRET. */
export class SecretLost extends SourceProblem {
  constructor() {
    super('The secret of this source can no longer be read. Enter it again in its settings.')
  }
}

/** The lease of a source, which its holder renews at least as often; after a process died, its source is free again after this time. */
export const LEASE_MS = 2 * 60_000

/** The result of a run that did not fail. */
export type RunResult = Pick<SourceRun, 'files' | 'added' | 'updated' | 'deleted' | 'refused'> & {
  outcome: 'loaded' | 'partial' | 'unchanged'
  loadId: string | null
  draftId: string | null
  /** The source's `seen` as of now. */
  changes: Partial<Pick<Source, 'seen'>>
  /** True when there was nothing to look at, which says nothing about how the source is doing. */
  isIdle?: boolean
  /** Says that there is more to do at once, or soon. */
  again?: 'now' | 'soon'
}

/** The means that a runner may use: where files go, when to end, and the moment taken as now. */
export type Running = { folder: string; signal: AbortSignal; now: Date }

/**
 * Does one run of a source.
 * @throws SourceProblem or ServiceError in words for whoever set it up; anything else is our fault
 */
export type Runner = (source: Source, running: Running) => Promise<RunResult>

/** The error when files have questions that a person can answer: they stay, and the draft has them for the load page where they could be held. */
export class Held extends SourceProblem {
  constructor(
    message: string,
    readonly draftId: string | null = null,
  ) {
    super(message)
  }
}

/** The error when another load has the contractor's turn: the run is done a little later. */
export class Postponed extends Error {}
