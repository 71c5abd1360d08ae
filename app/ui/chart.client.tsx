'use client'

import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** The color of a line by its meaning; the colors are easy to tell apart in both themes. */
export type ChartTone = 'main' | 'bad' | 'neutral'

/** One line: its name in the legend, its color, its dashes for readers who cannot tell colors apart, and its values. */
export type ChartSeries = { name: string; tone: ChartTone; dash?: number[]; values: (number | null)[] }

const HEIGHT = 220
const VARIABLES: Record<ChartTone, string> = { main: '--chart', bad: '--bad', neutral: '--quiet' }

/** Returns a color token in a form the canvas understands, with `light-dark()` resolved for the current theme. */
function color(of: HTMLElement, variable: string): string {
  const probe = of.appendChild(document.createElement('span'))
  probe.style.color = `var(${variable})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** A label on the time axis: the hour in UTC, or the day at midnight. */
function mark(seconds: number): string {
  const [day = '', hour = ''] = new Date(seconds * 1000).toISOString().split('T')
  return hour.startsWith('00:00') ? day.slice(5) : hour.slice(0, 5)
}

function options(place: HTMLElement, series: ChartSeries[], last: number): uPlot.Options {
  const line = color(place, '--line')
  const axis = { stroke: color(place, '--quiet'), grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  return {
    width: place.clientWidth,
    height: HEIGHT,
    cursor: { y: false },
    // Without a pointer on the chart, its legend shows the last values instead of dashes.
    hooks: { setLegend: [(plot) => plot.legend.idx == null && plot.setLegend({ idx: last }, false)] },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      { ...axis, values: (_, moments) => moments.map(mark) },
      { ...axis, size: 56 },
    ],
    series: [
      { label: 'Time', value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
      ...series.map(({ name, tone, dash }) => ({
        label: name,
        stroke: color(place, VARIABLES[tone]),
        width: 1.75,
        ...(dash && { dash }),
        points: { show: false },
      })),
    ],
  }
}

/** The drawing of a `Chart`. Times are UTC. It redraws when the theme or the width changes. */
export function Lines({ at, series }: { at: number[]; series: ChartSeries[] }) {
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = place.current
    if (!element) return
    let chart: uPlot | undefined
    let isGone = false
    const draw = async () => {
      const { default: Plot } = await import('uplot')
      if (isGone) return
      chart?.destroy()
      const utc = (seconds: number) => Plot.tzDate(new Date(seconds * 1000), 'Etc/UTC')
      chart = new Plot(
        { ...options(element, series, at.length - 1), tzDate: utc },
        [at, ...series.map(({ values }) => values)],
        element,
      )
      chart.setLegend({ idx: at.length - 1 })
    }
    void draw()
    const resized = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height: HEIGHT }))
    resized.observe(element)
    const themed = new MutationObserver(draw)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    return () => {
      isGone = true
      resized.disconnect()
      themed.disconnect()
      scheme.removeEventListener('change', draw)
      chart?.destroy()
    }
  }, [at, series])

  return <div ref={place} aria-hidden="true" className="min-h-66 min-w-0 overflow-x-clip" />
}
