import { ServiceError } from '@/lib/core/errors'
import type { PersonActor } from './actor'

/** The minutes that a proof counts as recent. */
export const PROOF_MINUTES = 10

/** Reports whether a proof that was given at a moment is recent. */
export const isRecentProof = (provenAt: Date | null, now: Date): boolean =>
  provenAt !== null && now.getTime() - provenAt.getTime() < PROOF_MINUTES * 60_000

/** The error `forbidden`, because what a person asks for outlives their session, and they have not proven lately that it is them. */
export class ProofNeeded extends ServiceError {
  constructor() {
    super('forbidden', 'Confirm it’s you first, because you signed in a while ago. Nothing was changed.')
  }
}

/** Checks that a person has proven lately that it is them. @throws ProofNeeded */
export function requireProof({ provenAt }: PersonActor, now: Date): void {
  if (!isRecentProof(provenAt, now)) throw new ProofNeeded()
}
