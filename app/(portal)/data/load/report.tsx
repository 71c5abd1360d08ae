import { LinkButton } from '@/app/ui/button'
import { Notice } from '@/app/ui/notice'
import { type Column, Table } from '@/app/ui/table'
import { cleanText } from '@/lib/core/clean'
import type { BadRow, LoadEvent, LoadedFile, Preview, Removal } from '@/lib/portal/load-events'

type Done = Extract<LoadEvent, { step: 'done' }>

const number = (name: 'rows' | 'added' | 'updated' | 'unchanged' | 'refused'): Column<LoadedFile> => ({
  name,
  width: 'sm:w-28',
  head: name.charAt(0).toUpperCase() + name.slice(1),
  end: true,
  cell: (file) => file[name].toLocaleString('en-US'),
})

const FILES: Column<LoadedFile>[] = [
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => cleanText(file) },
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
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => cleanText(file) },
  removed('stored', 'Stored'),
  removed('missing', 'Not in file'),
  removed('deleted', 'Deleted'),
  removed('kept', 'Kept'),
  { name: 'refusal', width: 'sm:w-72', head: 'Note', cell: ({ refusal }) => refusal ?? '–' },
]

const BAD: Column<BadRow>[] = [
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => cleanText(file) },
  { name: 'line', width: 'sm:w-20', head: 'Line', end: true, cell: ({ line }) => line ?? '–' },
  { name: 'field', width: 'sm:w-40', head: 'Field', cell: ({ field }) => cleanText(field ?? 'the whole row') },
  { name: 'value', width: 'sm:w-48', head: 'Value', mono: true, cell: ({ value }) => cleanText(value ?? '–') },
  { name: 'reason', width: 'sm:w-72', head: 'Reason', cell: ({ reason }) => cleanText(reason) },
]

const MONTHS: Column<Preview['months'][number]>[] = [
  { name: 'month', width: 'sm:w-28', head: 'Month', mono: true, cell: ({ month }) => month },
  { name: 'file', width: 'sm:w-48', head: 'File', mono: true, cell: ({ file }) => cleanText(file) },
  { name: 'currency', width: 'sm:w-28', head: 'Currency', cell: ({ currency }) => currency },
  { name: 'stored', width: 'sm:w-40', head: 'Stored', end: true, mono: true, cell: ({ stored }) => stored },
  { name: 'after', width: 'sm:w-40', head: 'After', end: true, mono: true, cell: ({ after }) => after },
]

/** What a load would do beyond its counts. */
function LookedAt({ preview: { months, odd } }: { preview: Preview }) {
  return (
    <>
      {months.length > 0 && (
        <Table
          caption="Totals per month, stored and after the load"
          captionShown
          columns={MONTHS}
          rows={months}
          rowKey={({ file, month, currency }) => `${file} ${month} ${currency}`}
        />
      )}
      {odd.length > 0 && (
        <Table
          caption="Oddest rows, which would be loaded"
          captionShown
          columns={BAD}
          rows={odd}
          rowKey={({ file, line, field, reason }) => `${file}:${line}:${field}:${reason}`}
        />
      )}
    </>
  )
}

/** Says how a load ended: one with refused rows, or a file that was not read, is no success. */
function Outcome({ files, faultCount, isLook }: { files: LoadedFile[]; faultCount: number; isLook: boolean }) {
  const bad = files.reduce((sum, { refused }) => sum + refused, 0)
  const written = files.reduce((sum, { rows, refused }) => sum + rows - refused, 0)
  // A file that cannot be read at all is a fault without rows.
  const [count, what] = bad > 0 ? [bad, 'row'] : [faultCount, 'file']
  const said = `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
  if (isLook)
    return (
      <Notice tone={faultCount > 0 ? 'warn' : 'neutral'} title="Nothing was written yet.">
        <p>
          {faultCount > 0
            ? `${said} would be refused. Correct them first, or load the others.`
            : 'This is what a load would do.'}
        </p>
      </Notice>
    )
  if (faultCount === 0) return <Notice tone="good" title="Loaded." />
  const title = written > 0 ? `Loaded in part: ${said} refused.` : `Nothing was loaded: ${said} refused.`
  return (
    <Notice tone={written > 0 ? 'warn' : 'bad'} title={title}>
      <p>Correct these rows and load them again: rows that are already loaded stay as they are.</p>
    </Notice>
  )
}

/** Where refused rows can be downloaded. */
type RefusedAt = { contractorId: string; draft: string }

/** Links to the refused rows of each file. */
const Downloads = ({ files, at }: { files: string[]; at: RefusedAt }) => (
  <p className="flex flex-wrap gap-2">
    {files.map((file) => (
      <LinkButton key={file} href={`/data/load/refused?${new URLSearchParams({ ...at, file })}`} download>
        {`Refused rows of ${cleanText(file)} (CSV)`}
      </LinkButton>
    ))}
  </p>
)

type Props = { events: (LoadEvent | undefined)[]; refusedAt?: RefusedAt }

/** The result of a load or a look: each file's row counts, and each rejected row with the reason. */
export function Report({ events, refusedAt }: Props) {
  const done = events.filter((event): event is Done => event?.step === 'done')
  if (done.length === 0) return null
  const removals = done
    .flatMap(({ files }) => files)
    .flatMap(({ file, removal }) => (removal ? [{ file, ...removal }] : []))
  const faults = done.flatMap((event) => event.faults)
  const faultCount = done.reduce((sum, event) => sum + event.faultCount, 0)
  const contradictions = done.flatMap((event) => event.contradictions ?? [])
  const isLook = done.some(({ preview }) => preview !== undefined)
  const refused = done.flatMap((event) => event.refused ?? [])
  const without = done.at(-1)?.customersWithoutProject ?? 0
  return (
    <section aria-labelledby="report" className="grid gap-4">
      <h2 id="report">Report</h2>
      <Outcome files={done.flatMap(({ files }) => files)} faultCount={faultCount} isLook={isLook} />
      {refusedAt && refused.length > 0 && <Downloads files={refused} at={refusedAt} />}
      <Table
        caption={isLook ? 'What would be loaded' : 'Files loaded'}
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
      {done.map(({ preview }) => preview && <LookedAt key="preview" preview={preview} />)}
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
        <Table
          caption={faults.length < faultCount ? `The first ${faults.length} errors` : 'Refused rows'}
          captionShown
          columns={BAD}
          rows={faults}
          rowKey={({ file, line, field, reason }) => `${file}:${line}:${field}:${reason}`}
        />
      )}
    </section>
  )
}
