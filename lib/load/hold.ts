import { part } from '@/lib/runtime/runtime'

const hold = part('loadHold', () => ({}))

/** Sets what keeps the process until a load has ended whose answer was sent already: on Vercel, which freezes it otherwise. */
export function holdForLoads(keep: (work: Promise<void>) => void): void {
  hold().current = keep
}

/** Keeps the process until a load has ended. */
export const holdLoad = (work: Promise<void>): void => hold().current?.(work)
