import type * as z from 'zod'
import { Time } from '@/app/session/time'
import { ConfirmAction } from '@/app/ui/confirm-action.client'
import { cleanText } from '@/lib/core/clean'
import { type getLastLoad, type ShownLoad, undoText } from '@/lib/operations/loads/undo-load'
import { undoAction } from './actions'

function Said({ files, by, loadedAt }: ShownLoad) {
  return (
    <>
      {files.map(cleanText).join(', ')} by {cleanText(by ?? 'somebody')}, <Time at={new Date(loadedAt)} />
    </>
  )
}

/** The last load of the contractor within a day with the button that takes it back, and those before it. */
export function LastLoad({
  contractorId,
  loads: { last, earlier, takesBack },
}: {
  contractorId: string
  loads: z.output<typeof getLastLoad.output>
}) {
  const loads = [...(last && last.files.length > 0 ? [last] : []), ...earlier]
  const next = loads.find(({ state }) => state !== 'taken_back')
  const [first] = loads
  if (!first) return null
  const effect = takesBack && takesBack.load === next?.load ? undoText(takesBack) : ''
  const others = loads.filter((load) => load !== first && load !== next)
  return (
    <section aria-labelledby="last" className="mt-8 grid max-w-prose gap-3">
      <h2 id="last">The last load</h2>
      <p>
        <Said {...first} />.{first.state === 'taken_back' && ' It was taken back.'}
        {first.state === 'running' && ' It is still running.'}
      </p>
      {next && next !== first && (
        <p>
          Before it: <Said {...next} />.
        </p>
      )}
      {next?.state === 'ended' && (
        <>
          <p className="text-quiet">
            Until <Time at={new Date(next.until)} /> it can be taken back: what it added is removed, and what it changed
            or deleted is as before. {effect}
          </p>
          <div>
            <ConfirmAction
              action={undoAction}
              label={next === first ? 'Take back the last load' : 'Take back the load before it'}
              submit="Take back"
              values={{ contractorId, load: next.load }}
              title={`Take back ${next.files.map(cleanText).join(', ')}?`}
              text={`${effect || 'What it added is removed, and what it changed or deleted is as before.'} Then the files can be loaded again.`}
            />
          </div>
        </>
      )}
      {others.length > 0 && (
        <>
          <p className="text-quiet">After it, these can be taken back, one by one:</p>
          <ul className="list-disc pl-5">
            {others.map((load) => (
              <li key={load.load}>
                <Said {...load} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
