import { Notice } from '@/app/ui/notice'
import { type Column, Table } from '@/app/ui/table'
import { cleanText } from '@/lib/core/clean'
import type { BadRow, LoadEvent, LoadedFile } from '@/lib/portal/load-events'

type Done = Extract<LoadEvent, { step: 'done' }>

const number = (name: 'rows' | 'added' | 'updated' | 'unchanged' | 'refused'): Column<LoadedFile> => ({
  name,
  head: name.charAt(0).toUpperCase() + name.slice(1),
  end: true,
  cell: (file) => file[name].toLocaleString('en-US'),
})

const FILES: Column<LoadedFile>[] = [
  { name: 'file', head: 'File', mono: true, cell: ({ file }) => file },
  ...(['rows', 'added', 'updated', 'unchanged', 'refused'] as const).map(number),
  {
    name: 'ignored',
    head: 'Columns not used',
    cell: ({ ignored }) => (ignored.length === 0 ? 'none' : ignored.map(cleanText).join(', ')),
  },
]

const BAD: Column<BadRow>[] = [
  { name: 'file', head: 'File', mono: true, cell: ({ file }) => file },
  { name: 'line', head: 'Line', end: true, cell: ({ line }) => line ?? '–' },
  { name: 'field', head: 'Field', cell: ({ field }) => cleanText(field ?? 'the whole row') },
  { name: 'value', head: 'Value', mono: true, cell: ({ value }) => cleanText(value ?? '–') },
  { name: 'reason', head: 'Reason', cell: ({ reason }) => cleanText(reason) },
]

/** The result of a load: each file's row counts, and each rejected row with the reason. */
export function Report({ events }: { events: (LoadEvent | undefined)[] }) {
  const done = events.filter((event): event is Done => event?.step === 'done')
  if (done.length === 0) return null
  const faults = done.flatMap((event) => event.faults)
  const faultCount = done.reduce((sum, event) => sum + event.faultCount, 0)
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
      {without > 0 && (
        <p>{`Customers without a project: ${without.toLocaleString('en-US')}. The API shows a customer from their first project on.`}</p>
      )}
      {faultCount > 0 && (
        <>
          <Notice tone="warn" title={`${faultCount.toLocaleString('en-US')} faults.`}>
            <p>Fix these rows in the file and load it again: rows that are already loaded stay as they are.</p>
          </Notice>
          <Table
            caption={faults.length < faultCount ? `The first ${faults.length} faults` : 'Refused rows'}
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
