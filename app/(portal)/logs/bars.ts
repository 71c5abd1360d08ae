export type Bar = { at: string; requests: number; errors: number }
export type Placed = Bar & { x: number; width: number; height: number; errorHeight: number }

/** The size of the drawing in its own units; it is stretched to the available width. */
export const DRAWING = { width: 600, height: 64 }
/** The minimum height of a bar, so that a small one stays visible. */
const LEAST = 1.5

/** Places each bar by its time, with a height relative to the busiest. Bars that start before the period are placed at its edge. */
export function placeBars(bars: Bar[], { from, to, step }: { from: string; to: string; step: number }): Placed[] {
  const [start, end] = [Math.floor(Date.parse(from) / 1000 / step) * step, Date.parse(to) / 1000]
  const slots = Math.max(1, Math.ceil((end - start) / step))
  const width = DRAWING.width / slots
  const most = Math.max(1, ...bars.map(({ requests }) => requests))
  const high = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / most) * DRAWING.height))
  return bars.map((bar) => {
    const slot = Math.min(slots - 1, Math.max(0, Math.floor((Date.parse(bar.at) / 1000 - start) / step)))
    return {
      ...bar,
      x: round(slot * width),
      width: round(Math.max(0.5, width * 0.82)),
      height: round(high(bar.requests)),
      errorHeight: round(high(bar.errors)),
    }
  })
}

const round = (units: number) => Math.round(units * 100) / 100

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
