export type Series = { name: string; labels: Record<string, string>; value: number }

const NAME = /^[a-zA-Z_:][\w:]*$/
const LABEL = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [all, name = '', value = ''] = LABEL.exec(rest) ?? []
    if (all === undefined || name in labels) throw new Error(`labels: ${text}`)
    labels[name] = value
    rest = rest.slice(all.length)
  }
  return labels
}

/** The names a sample may have under a metric of a type (Prometheus, exposition formats, "Text format details"). */
const SUFFIXES: Record<string, string[]> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/**
 * Reads Prometheus' text format 0.0.4 strictly: HELP, then TYPE, once for each metric and together with all of its samples; no sample
 * twice; values that are numbers; the last line ended.
 * @throws Error that names what is wrong
 */
export function parseMetrics(text: string): Series[] {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended')
  const seen = new Set<string>()
  const series: Series[] = []
  let metric = ''
  let type = ''
  for (const line of text.split('\n').filter(Boolean)) {
    const [, kind, of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') {
      metric = nameOnce(of, seen)
      type = ''
    } else if (kind === 'TYPE') {
      if (of !== metric || !(rest in SUFFIXES)) throw new Error(`type: ${line}`)
      type = rest
    } else series.push(sampleOf(line, metric, SUFFIXES[type] ?? [], seen))
  }
  return series
}

function nameOnce(name: string, seen: Set<string>): string {
  if (!NAME.test(name) || seen.has(name)) throw new Error(`metric twice, or no name: ${name}`)
  seen.add(name)
  return name
}

function sampleOf(line: string, metric: string, suffixes: string[], seen: Set<string>): Series {
  const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (!suffixes.some((suffix) => name === metric + suffix)) throw new Error(`sample under ${metric}: ${line}`)
  if (!/^(NaN|[+-]Inf|[+-]?\d+(\.\d+)?(e[+-]?\d+)?)$/i.test(value)) throw new Error(`value: ${line}`)
  const sample = { name, labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) }
  const identity = `${name} ${JSON.stringify(Object.entries(sample.labels).sort())}`
  if (seen.has(identity)) throw new Error(`sample twice: ${line}`)
  seen.add(identity)
  return sample
}

/** The sum of a metric's series that have these labels. */
export const sumOf = (series: Series[], name: string, labels: Record<string, string> = {}): number =>
  series
    .filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
