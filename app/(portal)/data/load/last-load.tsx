import { ActionForm } from '@/app/ui/action-form.client'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { execute } from '@/lib/operations/execute'
import { getLastLoad } from '@/lib/operations/loads/undo-load'
import { undoAction } from './actions'

/** The last load of the contractor within a day, and the button that takes it back. */
export async function LastLoad({ actor }: { actor: PersonActor }) {
  const { last } = await execute(getLastLoad, { actor, now: new Date() }, {})
  if (!last || last.files.length === 0) return null
  const { load, files, by, loadedAt, until, state } = last
  return (
    <section aria-labelledby="last" className="mt-8 grid max-w-prose gap-3">
      <h2 id="last">The last load</h2>
      <p>
        {files.map(cleanText).join(', ')} by {cleanText(by ?? 'somebody')}, <Time at={new Date(loadedAt)} />.
      </p>
      {state === 'taken_back' && <p className="text-quiet">It was taken back.</p>}
      {state === 'running' && <p className="text-quiet">It is still running.</p>}
      {state === 'ended' && (
        <>
          <p className="text-quiet">
            Until <Time at={new Date(until)} /> it can be taken back: what it added is removed, and what it changed or
            deleted is as before.
          </p>
          <ActionForm
            action={undoAction}
            submit="Take back the last load"
            look="danger"
            values={{ contractorId: actor.contractorId, load }}
          />
        </>
      )}
    </section>
  )
}
