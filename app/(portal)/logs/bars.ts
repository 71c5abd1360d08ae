export type Bar = { at: string; requests: number; errors: number }

/**
 * Fills a period with bars of equal length, without gaps. Those that are given are placed by their time; one that begins before the period is
 * in its first bar, one after it in its last.
 */
export function withoutGaps(bars: Bar[], { from, to, step }: { from: string; to: string; step: number }): Bar[] {
  const [start, end] = [Math.floor(Date.parse(from) / 1000 / step) * step, Date.parse(to) / 1000]
  const slots = Array.from({ length: Math.max(1, Math.ceil((end - start) / step)) }, (_, slot) => ({
    at: new Date((start + slot * step) * 1000).toISOString(),
    requests: 0,
    errors: 0,
  }))
  for (const { at, requests, errors } of bars) {
    const place = Math.floor((Date.parse(at) / 1000 - start) / step)
    const slot = slots[Math.min(slots.length - 1, Math.max(0, place))]
    if (!slot) continue
    slot.requests += requests
    slot.errors += errors
  }
  return slots
}

/** Returns the duration of a bar in words. */
export function stepWords(seconds: number): string {
  const [unit, size] =
    seconds % 86_400 === 0
      ? ['day', 86_400]
      : seconds % 3_600 === 0
        ? ['hour', 3_600]
        : seconds % 60 === 0
          ? ['minute', 60]
          : ['second', 1]
  const count = seconds / Number(size)
  return count === 1 ? `${unit}` : `${count} ${unit}s`
}
