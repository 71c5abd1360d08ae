import { database } from '@/db/client'
import { credentialsAlive } from '@/db/queries/credentials'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { stopping } from '@/lib/core/stopping'
import { acquireAll, Places } from '@/lib/limits/places'
import { contractorsWithChanges } from './feed'

/** The interval at which the database is asked for all who wait: what changed, and whether their keys still work. */
const ASK_EVERY_MS = 1_000
/** The number of requests that may wait at once: of one key, of all keys of a contractor, and in this process. */
export const WAITERS = { ofKey: 5, ofContractor: 50, ofProcess: 500 }

type Waiter = { contractorId: string; position: number; keyId: string | undefined; wake: (isEnded?: boolean) => void }

/** Requests that wait for a change. None holds a connection: one timer asks the database for all of them. */
export class Waiters {
  private readonly waiting = new Set<Waiter>()
  private readonly ofKeys = new Places({ ofSubject: WAITERS.ofKey, ofProcess: WAITERS.ofProcess })
  private readonly ofContractors = new Places({ ofSubject: WAITERS.ofContractor, ofProcess: WAITERS.ofProcess })
  private timer: NodeJS.Timeout | undefined
  private isFailing = false

  /** @param end aborted once the process is asked to stop, which ends all waiting */
  constructor(private readonly end: AbortSignal = stopping()) {}

  /**
   * Takes a place to wait in.
   * @param subject whose places are counted together: a key or a person
   * @returns the function that gives the place back, or undefined when none is left
   */
  takePlace(contractorId: string, subject: string): (() => void) | undefined {
    return acquireAll([
      [this.ofKeys, subject],
      [this.ofContractors, contractorId],
    ])
  }

  /**
   * Resolves when the contractor's feed has something behind the position, the time is over, the process is asked to stop, nobody wants to
   * know any more, or the key or connection that asked no longer works.
   * @returns whether it no longer works
   */
  async changed(
    contractorId: string,
    position: number,
    milliseconds: number,
    enough?: AbortSignal,
    keyId?: string,
  ): Promise<boolean> {
    const { end } = this
    if (end.aborted || enough?.aborted) return false
    return await new Promise<boolean>((done) => {
      const waiter: Waiter = { contractorId, position, keyId, wake: (isEnded) => wake(isEnded) }
      const timer = setTimeout(() => wake(), milliseconds)
      const give = () => wake()
      const wake = (isEnded = false) => {
        clearTimeout(timer)
        end.removeEventListener('abort', give)
        enough?.removeEventListener('abort', give)
        this.leave(waiter)
        done(isEnded)
      }
      end.addEventListener('abort', give)
      enough?.addEventListener('abort', give)
      this.waiting.add(waiter)
      this.timer ??= setTimeout(() => void this.ask(), ASK_EVERY_MS)
    })
  }

  private leave(waiter: Waiter): void {
    this.waiting.delete(waiter)
    if (this.waiting.size > 0) return
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private async endDead(): Promise<void> {
    const waiting = [...this.waiting].filter(({ keyId }) => keyId !== undefined)
    if (waiting.length === 0) return
    const alive = await credentialsAlive(await database(), [...new Set(waiting.flatMap(({ keyId }) => keyId ?? []))])
    for (const { keyId, wake } of waiting) if (keyId !== undefined && !alive.has(keyId)) wake(true)
  }

  private async ask(): Promise<void> {
    try {
      const known = [...this.waiting].map(({ contractorId, position }) => ({ contractor: contractorId, position }))
      const found = known.length > 0 ? await contractorsWithChanges(await database(), known) : []
      // Before the changes are: what has ended is told nothing more.
      await this.endDead()
      for (const waiter of [...this.waiting]) if (found.includes(waiter.contractorId)) waiter.wake()
      this.isFailing = false
    } catch (error) {
      // Those who wait ask again by themselves when their time is over. Once for each outage.
      if (!this.isFailing) logFault({ operation: 'changes' }, error)
      this.isFailing = true
    }
    // A waiter that came meanwhile, when none was left, has set the next one.
    clearTimeout(this.timer)
    this.timer = this.waiting.size > 0 ? setTimeout(() => void this.ask(), ASK_EVERY_MS) : undefined
  }
}

/** The requests of this process that wait for a change. */
export const waiters = shared<Waiters>('changeWaiters', () => new Waiters())
