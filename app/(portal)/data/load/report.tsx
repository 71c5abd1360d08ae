import { LinkButton } from '@/app/ui/button'
import type { DataColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { Notice } from '@/app/ui/notice'
import { cleanText } from '@/lib/core/clean'
import type { BadRow, LoadEvent, LoadedFile, Removal } from '@/lib/portal/load-events'
import { Reconciled } from './reconciliation'

type Done = Extract<LoadEvent, { step: 'done' }>

const number = (name: 'rows' | 'added' | 'updated' | 'unchanged' | 'refused'): DataColumn<LoadedFile> => ({
  name,
  head: name.charAt(0).toUpperCase() + name.slice(1),
  kind: 'count',
  value: (file) => file[name],
})

const FILE = {
  name: 'file',
  head: 'File',
  kind: 'text',
  isLong: true,
  value: ({ file }: { file: string }) => file,
} as const

const FILES: DataColumn<LoadedFile>[] = [
  FILE,
  ...(['rows', 'added', 'updated', 'unchanged', 'refused'] as const).map(number),
  {
    name: 'ignored',
    head: 'Unused columns',
    kind: 'text',
    isLong: true,
    value: ({ ignored }) => ignored.join(', ') || 'none',
  },
]

type Complete = { file: string } & Removal

const removed = (name: 'stored' | 'missing' | 'deleted' | 'kept', head: string): DataColumn<Complete> => ({
  name,
  head,
  kind: 'count',
  value: (file) => file[name],
})

const REMOVALS: DataColumn<Complete>[] = [
  FILE,
  removed('stored', 'Stored'),
  removed('missing', 'Not in file'),
  removed('deleted', 'Deleted'),
  removed('kept', 'Kept'),
  { name: 'refusal', head: 'Note', kind: 'text', isLong: true, value: ({ refusal }) => refusal },
]

const BAD: DataColumn<BadRow>[] = [
  FILE,
  { name: 'line', head: 'Line', kind: 'count', value: ({ line }) => line },
  { name: 'field', head: 'Field', kind: 'text', value: ({ field }) => field ?? 'the whole row' },
  { name: 'value', head: 'Value', kind: 'code', value: ({ value }) => value },
  { name: 'reason', head: 'Reason', kind: 'text', isLong: true, value: ({ reason }) => reason },
]

/** Returns the files of a report without the parts of an export that have no rows: most exports have two or three of its five. */
function filled(files: LoadedFile[]): LoadedFile[] {
  const some = files.filter(({ file, rows }) => rows > 0 || !file.endsWith(')'))
  return some.length > 0 ? some : files
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
    <Notice tone={written > 0 ? 'warn' : 'danger'} title={title}>
      <p>Correct these rows and load them again: rows that are already loaded stay as they are.</p>
    </Notice>
  )
}

/** The draft whose refused rows can be downloaded. */
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
  const odd = done.flatMap(({ preview }) => preview?.odd ?? [])
  const isLook = done.some(({ preview, questions }) => preview !== undefined || questions !== undefined)
  const refused = done.flatMap((event) => event.refused ?? [])
  const without = done.at(-1)?.customersWithoutProject ?? 0
  return (
    <section aria-labelledby="report" className="grid gap-4">
      <h2 id="report">Report</h2>
      <Outcome files={done.flatMap(({ files }) => files)} faultCount={faultCount} isLook={isLook} />
      {[...new Set(done.map(({ dates }) => dates))].map((dates) => dates && <p key={dates}>{cleanText(dates)}</p>)}
      {refusedAt && refused.length > 0 && <Downloads files={refused} at={refusedAt} />}
      <DataTable
        caption={isLook ? 'What would be loaded' : 'Files loaded'}
        columns={FILES}
        rows={filled(done.flatMap(({ files }) => files))}
        rowKey={({ file }) => file}
      />
      {removals.length > 0 && (
        <DataTable
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
      {odd.length > 0 && (
        <DataTable
          caption="Oddest rows, which would be loaded"
          captionShown
          columns={BAD}
          rows={odd}
          rowKey={({ file, line, field, reason }) => `${file}:${line}:${field}:${reason}`}
        />
      )}
      {done.map(
        ({ files: [first], reconciliation }) =>
          reconciliation && <Reconciled key={first?.file} reconciliation={reconciliation} />,
      )}
      {contradictions.length > 0 && (
        <DataTable
          caption="Notes on loaded rows"
          captionShown
          columns={BAD}
          rows={contradictions}
          rowKey={({ file, line, field, reason }) => `${file}:${line}:${field}:${reason}`}
        />
      )}
      {faultCount > 0 && (
        <DataTable
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
