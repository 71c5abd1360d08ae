import type { Sample } from './samples'

const WIDTH = 960
const PANEL = 190
const LEFT = 64
const RIGHT = 130
const COLORS = ['#1f6feb', '#c2410c', '#15803d', '#7e22ce', '#b91c1c']

type Line = { name: string; color: string; points: [number, number | undefined][] }
type Panel = { title: string; unit: string; lines: Line[] }

/** Returns the next round number at or above `figure`. */
export function roundUp(figure: number): number {
  if (!(figure > 0)) return 1
  const size = 10 ** Math.floor(Math.log10(figure))
  return ([1, 2, 5, 10].find((step) => step * size >= figure) ?? 10) * size
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
const shown = (figure: number) => String(Number(figure.toPrecision(3)))

function panelText({ title, unit, lines }: Panel, top: number, seconds: number): string {
  const height = PANEL - 56
  const base = top + 30 + height
  const known = lines.flatMap(({ points }) => points.map(([, y]) => y ?? 0).filter(Number.isFinite))
  const most = roundUp(Math.max(0, ...known))
  const x = (at: number) => LEFT + (at / seconds) * (WIDTH - LEFT - RIGHT)
  const y = (figure: number) => base - (figure / most) * height
  const grid = [0, 0.5, 1].map(
    (part) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(part * most)}" y2="${y(part * most)}" stroke="#d4d4d8"/>` +
      `<text x="${LEFT - 8}" y="${y(part * most) + 4}" text-anchor="end">${shown(part * most)}</text>`,
  )
  const minutes = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<text x="${x(part * seconds)}" y="${base + 16}" text-anchor="middle">${shown((part * seconds) / 60)} min</text>`,
  )
  const drawn = lines.map(({ name, color, points }, i) => {
    const path = points
      .filter((point): point is [number, number] => Number.isFinite(point[1]))
      .map(([at, figure]) => `${x(at).toFixed(1)},${y(figure).toFixed(1)}`)
    return (
      `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${path.join(' ')}"/>` +
      `<text x="${WIDTH - RIGHT + 10}" y="${top + 42 + i * 16}" fill="${color}">${escaped(name)}</text>`
    )
  })
  const heading = `<text x="${LEFT}" y="${top + 16}" font-weight="bold">${escaped(title)} (${unit})</text>`
  return [heading, ...grid, ...minutes, ...drawn].join('\n')
}

/** Draws a soak as an SVG chart: memory, descriptors and latencies over time. */
export function picture(title: string, samples: readonly Sample[]): string {
  const seconds = Math.max(1, samples.at(-1)?.at ?? 1)
  const kinds = [...new Set(samples.flatMap(({ latencies }) => Object.keys(latencies)))]
  const one = (name: string, of: (sample: Sample) => number | undefined): Line[] => [
    { name, color: COLORS[0] ?? '', points: samples.map((sample) => [sample.at, of(sample)]) },
  ]
  const latency = (which: 'median' | 'p95'): Line[] =>
    kinds.map((kind, i) => ({
      name: kind,
      color: COLORS[i % COLORS.length] ?? '',
      points: samples.map(({ at, latencies }) => [at, latencies[kind]?.[which]]),
    }))
  const panels: Panel[] = [
    { title: 'Memory', unit: 'MB', lines: one('resident', ({ memoryMb }) => memoryMb) },
    { title: 'Descriptors', unit: 'open', lines: one('open', ({ descriptors }) => descriptors) },
    { title: 'Answers, median', unit: 'ms', lines: latency('median') },
    { title: 'Answers, 95th percentile', unit: 'ms', lines: latency('p95') },
  ]
  const height = 40 + panels.length * PANEL
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${LEFT}" y="24" font-size="16" font-weight="bold">${escaped(title)}</text>
${panels.map((panel, i) => panelText(panel, 40 + i * PANEL, seconds)).join('\n')}
</svg>
`
}
