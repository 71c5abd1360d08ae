import { DEMO_FOLLOW_UPS, DEMO_NOTES } from '@/db/demo/story/leads'
import { shownProject } from '@/db/demo/story/shown'
import type { Contractor } from '@/db/queries/contractors'
import type { KeyActor } from '@/lib/auth/actor'
import { dayIn } from '@/lib/core/time'
import { addProjectNote } from '@/lib/operations/entries/add-project-note'
import { setLeadFollowUp } from '@/lib/operations/entries/set-lead-follow-up'
import { execute } from '@/lib/operations/execute'
import type { SentLead } from './demo-leads'

const DAY_MS = 86_400_000

/** Writes the notes and follow-ups of a demonstration contractor with the key of its assistant. */
export async function writeEntries(
  contractor: Pick<Contractor, 'slug' | 'timezone'>,
  { actor, sent, now }: { actor: KeyActor; sent: readonly SentLead[]; now: Date },
): Promise<void> {
  const { slug, timezone } = contractor
  for (const [i, { project, daysAgo, text }] of (DEMO_NOTES[slug] ?? []).entries()) {
    const projectId = shownProject(slug, project)
    if (projectId === undefined) continue
    const at = new Date(now.getTime() - daysAgo * DAY_MS)
    await execute(
      addProjectNote,
      { actor, now: at },
      { projectId, text, idempotencyKey: `demonstration-note-${i + 1}` },
    )
  }
  const wanted = [
    ...sent.flatMap(({ projectId, followUp }) => (followUp ? [{ projectId, ...followUp }] : [])),
    ...(DEMO_FOLLOW_UPS[slug] ?? []).flatMap(({ project, ...rest }) => {
      const projectId = shownProject(slug, project)
      return projectId === undefined ? [] : [{ projectId, ...rest }]
    }),
  ]
  for (const { projectId, inDays, text } of wanted) {
    const date = dayIn(timezone, new Date(now.getTime() + inDays * DAY_MS))
    // Loaded again on a later day it is for another day, and so another follow-up.
    const idempotencyKey = `demonstration-${projectId}-${date}`
    await execute(setLeadFollowUp, { actor, now }, { projectId, date, text, idempotencyKey })
  }
}
