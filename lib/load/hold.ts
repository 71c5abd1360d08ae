import { shared } from '@/lib/core/shared'

const hold = shared<LoadHold>('loadHold', () => ({ running: new Set() }))

/** The hold on a process until loads have ended whose answer was sent already, and those loads. */
export type LoadHold = { keep?: (work: Promise<void>) => void; running: Set<Promise<void>> }

/** Sets what keeps the process until a load has ended whose answer was sent already: on Vercel, which freezes it otherwise. */
export function setLoadHold(keep: (work: Promise<void>) => void): void {
  hold().keep = keep
}

/** Keeps the process until a load has ended. */
export function holdProcessForLoad(work: Promise<void>): void {
  hold().keep?.(work)
  const running = work.finally(() => hold().running.delete(running))
  hold().running.add(running)
}

/** Waits for the loads that nobody waits for; they end at their next slice once the process is asked to stop. */
export async function loadsFinished(): Promise<void> {
  await Promise.allSettled(hold().running)
}
