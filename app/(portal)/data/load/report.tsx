import { Notice } from '@/app/ui/notice'
import { type Column, Table } from '@/app/ui/table'
import { cleanText } from '@/lib/core/clean'
import type { BadRow, LoadEvent, LoadedFile, Removal } from '@/lib/portal/load-events'

type Counted = LoadedFile & { removal: Removal }

/** Returns the files whose missing records were counted and can be deleted. */
export const missingIn = (events: (LoadEvent | undefined)[]): Counted[] =>
  events
    .flatMap((event) => (event?.step === 'done' ? event.files : []))
    .filter(
      (file): file is Counted =>
        file.removal !== undefined &&
        file.removal.refusal === null &&
        file.removal.missing > file.removal.deleted + file.removal.kept,
    )

type Done = Extract<LoadEvent, { step: 'done' }>

const number = (name: 'rows' | 'added' | 'updated' | 'unchanged' | 'refused'): Column<LoadedFile> => ({
  name,
  width: 'sm:w-28',
  head: name.charAt(0).toUpperCase() + name.slice(1),
  end: true,
  cell: (file) => file[name].toLocaleString('en-US'),
})

const FILES: Column<LoadedFile>[] = [
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => file },
  ...(['rows', 'added', 'updated', 'unchanged', 'refused'] as const).map(number),
  {
    name: 'ignored',
    width: 'sm:w-56',
    head: 'Unused columns',
    cell: ({ ignored }) => (ignored.length === 0 ? 'none' : ignored.map(cleanText).join(', ')),
  },
]

type Complete = { file: string } & Removal

const removed = (name: 'stored' | 'missing' | 'deleted' | 'kept', head: string): Column<Complete> => ({
  name,
  width: 'sm:w-28',
  head,
  end: true,
  cell: (file) => file[name].toLocaleString('en-US'),
})

const REMOVALS: Column<Complete>[] = [
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => file },
  removed('stored', 'Stored'),
  removed('missing', 'Not in file'),
  removed('deleted', 'Deleted'),
  removed('kept', 'Kept'),
  { name: 'refusal', width: 'sm:w-72', head: 'Note', cell: ({ refusal }) => refusal ?? '–' },
]

const BAD: Column<BadRow>[] = [
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => file },
  { name: 'line', width: 'sm:w-20', head: 'Line', end: true, cell: ({ line }) => line ?? '–' },
  { name: 'field', width: 'sm:w-40', head: 'Field', cell: ({ field }) => cleanText(field ?? 'the whole row') },
  { name: 'value', width: 'sm:w-48', head: 'Value', mono: true, cell: ({ value }) => cleanText(value ?? '–') },
  { name: 'reason', width: 'sm:w-72', head: 'Reason', cell: ({ reason }) => cleanText(reason) },
]

/** The result of a load: each file's row counts, and each rejected row with the reason. */
export function Report({ events }: { events: (LoadEvent | undefined)[] }) {
  const done = events.filter((event): event is Done => event?.step === 'done')
  if (done.length === 0) return null
  const removals = done
    .flatMap(({ files }) => files)
    .flatMap(({ file, removal }) => (removal ? [{ file, ...removal }] : []))
  const faults = done.flatMap((event) => event.faults)
  const faultCount = done.reduce((sum, event) => sum + event.faultCount, 0)
  const contradictions = done.flatMap((event) => event.contradictions ?? [])
  const without = done.at(-1)?.customersWithoutProject ?? 0
  return (
    <section aria-labelledby="report" className="grid gap-4">
      <h2 id="report">Report</h2>
      <Table
        caption="Files loaded"
        columns={FILES}
        rows={done.flatMap(({ files }) => files)}
        rowKey={({ file }) => file}
      />
      {removals.length > 0 && (
        <Table
          caption="Records that are no longer in the files"
          captionShown
          columns={REMOVALS}
          rows={removals}
          rowKey={({ file }) => file}
        />
      )}
      {without > 0 && (
        <p>{`Customers without a project: ${without.toLocaleString('en-US')}. The API shows customers once they have a project.`}</p>
      )}
      {contradictions.length > 0 && (
        <Table
          caption="Notes on loaded rows"
          captionShown
          columns={BAD}
          rows={contradictions}
          rowKey={({ file, line, field, reason }) => `${file}:${line}:${field}:${reason}`}
        />
      )}
      {faultCount > 0 && (
        <>
          <Notice tone="warn" title={`${faultCount.toLocaleString('en-US')} faults.`}>
            <p>Fix these rows in the file and load it again: rows that are already loaded stay as they are.</p>
          </Notice>
          <Table
            caption={faults.length < faultCount ? `The first ${faults.length} errors` : 'Refused rows'}
            captionShown
            columns={BAD}
            rows={faults}
            rowKey={({ file, line, field, reason }) => `${file}:${line}:${field}:${reason}`}
          />
        </>
      )}
    </section>
  )
}
