import { HALVES, readLabels } from './labels'
import { type LabelScore, scoreNashville } from './nashville'
import { byClass, confusions, type Scored, scoreOne, totalsOf } from './score'

const percent = (part: number, of: number) => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`)
const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

/** The score of the labeled set as Markdown: by half, by kind of work, and what was taken for what. */
export function reportOf(scored: readonly Scored[]): string {
  const halves = HALVES.map((half) => {
    const { n, right, wrong, missed } = totalsOf(scored.filter((one) => one.half === half))
    return [half, n, right, percent(right, n), wrong, percent(wrong, n), missed]
  })
  const classes = (half: Scored['half']) =>
    new Map(byClass(scored.filter((one) => one.half === half)).map((one) => [one.workType, one]))
  const scores = HALVES.map(classes)
  const names = [...new Set(scores.flatMap((of) => [...of.keys()]))].sort()
  const counts = (of: ReturnType<typeof classes>, name: (typeof names)[number]) => {
    const one = of.get(name)
    return one ? [`${one.hit} of ${one.labeled}`, one.false] : ['–', 0]
  }
  return [
    table(['half', 'descriptions', 'right', '', 'wrong', '', 'left out'], halves),
    table(
      ['kind of work', ...HALVES.flatMap((half) => [`${half}: found`, 'falsely'])],
      names.map((name) => [name, ...scores.flatMap((of) => counts(of, name))]),
    ),
    table(
      ['labeled', 'found', 'times'],
      confusions(scored).map(({ labeled, found, n }) => [labeled, found, n]),
    ),
  ].join('\n\n')
}

/** The score of real permits as Markdown, by the office's type. */
const nashvilleReport = (scores: readonly LabelScore[]): string =>
  table(
    ['office’s type', 'half', 'descriptions', 'found', '', 'only other work', 'nothing'],
    scores.map(({ name, half, n, hit, other, none }) => [name, half, n, hit, percent(hit, n), other, none]),
  )

/** The output beside the scores: the errors of the dev half, and the score of a file of real permits. */
type Options = { errors: boolean; nashville: string | undefined }

/** Scores the recognizer of kinds of work and prints the tables. Errors are printed of the dev half alone. */
export async function evaluatePermits({ errors, nashville }: Options): Promise<void> {
  const scored = readLabels().map(scoreOne)
  if (errors)
    for (const { description, must, found, verdict, half } of scored)
      if (half === 'dev' && verdict !== 'right')
        console.log(
          `${verdict}: ${description}\n  labeled ${must.join(', ') || 'unknown'}, found ${found.join(', ') || 'nothing'}`,
        )
  console.log(reportOf(scored))
  if (nashville !== undefined) console.log(`\n${nashvilleReport(await scoreNashville(nashville))}`)
}
