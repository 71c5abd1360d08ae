import { MEGABYTE } from '@/lib/core/uploads'

const HOUR_MS = 3_600_000

/** The times for which dropped and mailed files are held; the most bytes of a contractor. */
export const DRAFT_LIMITS = {
  people: { ms: 24 * HOUR_MS, mostBytes: 500 * MEGABYTE },
  sources: { ms: 7 * 24 * HOUR_MS, mostBytes: 100 * MEGABYTE },
} as const
