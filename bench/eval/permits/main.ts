import { readLabels } from './labels'
import { scoreNashville } from './nashville'
import { nashvilleReport, reportOf } from './report'
import { scoreOne } from './score'

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
