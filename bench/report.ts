import { type Figure, type Goal, isReached } from './figures'

/** The result of a bench: its figures, what it printed, and how it ended. */
export type Result = {
  name: string
  command: string
  seconds: number
  outcome: 'passed' | 'failed' | 'not run'
  figures: Figure[]
  printed: string
}

/** The facts in the report about the machine and the programs on it. */
export type Machine = Record<string, string>

/** Formats about three digits: 0.934, 1.50, 12.3, 1,234. */
function shown(value: number): string {
  if (!Number.isFinite(value)) return 'not measured'
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  const [fewest, most] = Math.abs(value) >= 100 ? [0, 0] : Math.abs(value) >= 10 ? [1, 1] : [2, 3]
  return value.toLocaleString('en-US', { minimumFractionDigits: fewest, maximumFractionDigits: most })
}

const withUnit = (value: number, unit: string | undefined) => (unit ? `${shown(value)} ${unit}` : shown(value))

const goalText = (goal: Goal, unit: string | undefined) =>
  'atLeast' in goal ? `≥ ${withUnit(goal.atLeast, unit)}` : `≤ ${withUnit(goal.atMost, unit)}`

type Row = Figure & { name: string }

/** Escapes text so that it ends no table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|')

function tableOf(rows: Row[]): string {
  const lines = rows.map(({ name, what, value, unit, goal }) => {
    const verdict = goal ? (isReached(goal, value) ? 'reached' : '**missed**') : ''
    return `| ${name} | ${cell(what)} | ${withUnit(value, unit)} | ${goal ? goalText(goal, unit) : ''} | ${verdict} |`
  })
  return ['| bench | what | figure | goal | |', '| --- | --- | ---: | ---: | --- |', ...lines].join('\n')
}

/** A fence that nothing printed can end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text.trimEnd()}\n${fence}`
}

const section = ({ name, command, seconds, outcome, printed }: Result) =>
  `### ${name}\n\n\`${command}\`: ${outcome}${outcome === 'not run' ? '' : `, ${seconds.toFixed(0)} s`}.\n\n${fenced(printed)}`

/** Returns the report as Markdown: ratios, other figures, the machine, and what each bench printed. */
export function reportOf(results: Result[], machine: Machine, isShort: boolean): string {
  const rows = results.flatMap(({ name, figures }) =>
    // Few rows on a busy machine reach or miss nothing.
    figures.map(({ goal, ...figure }) => ({ name, ...figure, ...(goal && !isShort ? { goal } : {}) })),
  )
  const goals = rows.flatMap(({ goal, value }) => (goal ? [isReached(goal, value)] : []))
  const ran = results.filter(({ outcome }) => outcome !== 'not run')
  const failed = ran.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  const short =
    'This is the short form: few rows and a second each. It shows that every bench still runs; its figures say nothing.'
  const intro = [
    "Written by `npm run bench -- all`. Ratios are what to quote: both sides ran in turns on one machine. Other figures are this machine's.",
    ...(isShort ? [short] : []),
    `${ran.length - failed.length} of ${ran.length} benches passed${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}.`,
    ...(isShort ? [] : [`${goals.filter(Boolean).length} of ${goals.length} goals are reached.`]),
  ]
  const facts = Object.entries(machine).map(([name, value]) => `| ${name} | ${cell(value)} |`)
  return [
    '# Measurements',
    intro.join('\n'),
    '## Ratios',
    tableOf(rows.filter(({ unit }) => !unit)),
    '## Other figures',
    tableOf(rows.filter(({ unit }) => unit)),
    '## Machine',
    ['| | |', '| --- | --- |', ...facts].join('\n'),
    '## What each bench printed',
    ...results.map(section),
    '',
  ].join('\n\n')
}
