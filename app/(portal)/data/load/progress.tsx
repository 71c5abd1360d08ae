import { useId } from 'react'
import { cleanText } from '@/lib/core/clean'
import type { LoadEvent } from '@/lib/portal/load-events'

/** The progress of a file: how much of it has been uploaded, then the last event about its rows. */
export type Progress = { name: string; sent: number; event: LoadEvent | undefined }

const count = (rows: number) => `${rows.toLocaleString('en-US')} rows`

/** Returns a file's current step in words and how much of it is done; undefined when unknown. */
function stepOf({ sent, event }: Progress): { words: string; share: number | undefined } {
  if (event?.step === 'failed') return { words: 'not loaded', share: 0 }
  if (event?.step === 'done')
    return { words: `done, ${count(event.files.reduce((sum, { rows }) => sum + rows, 0))}`, share: 1 }
  // A cell may contain line breaks, so there are at most as many rows as lines.
  if (event?.step === 'rows')
    return { words: `loading, ${count(event.rows)}`, share: event.lines === 0 ? undefined : event.rows / event.lines }
  if (sent === 0) return { words: 'waiting', share: 0 }
  return sent < 1
    ? { words: `uploading, ${Math.round(sent * 100)}%`, share: sent }
    : { words: 'reading', share: undefined }
}

/** A file's progress bar: first the upload, then the rows. */
export function FileProgress({ progress }: { progress: Progress }) {
  const id = useId()
  const { words, share } = stepOf(progress)
  return (
    <div className="max-w-prose">
      <p className="mb-1 flex justify-between gap-4">
        <span className="font-mono text-sm" id={id}>
          {cleanText(progress.name)}
        </span>
        <span className="text-sm text-quiet">{words}</span>
      </p>
      <progress
        aria-labelledby={id}
        className="block h-2 w-full accent-focus"
        max={1}
        {...(share !== undefined && { value: share })}
      />
      {progress.event?.step === 'failed' && (
        <p role="alert" className="mt-1 text-danger">
          {progress.event.error} {progress.event.requestId && <code>{progress.event.requestId}</code>}
        </p>
      )}
    </div>
  )
}
