import { z } from 'zod'
import { readDocument } from './source'

/** One edit of a guide: its day, and what it was for. */
export type Edit = { date: string; what: string }

const Edits = z.record(z.string(), z.array(z.object({ date: z.iso.date(), what: z.string().min(1) })))

let kept: z.output<typeof Edits> | undefined

/** The edits of a guide, newest first, as `npm run guide-edits` took them from the project's history. */
export function guideEdits(slug: string): Edit[] {
  kept ??= Edits.parse(JSON.parse(readDocument('docs', 'guide-edits.json')))
  return kept[slug] ?? []
}
