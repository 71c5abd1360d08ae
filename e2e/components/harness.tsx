import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Button } from '@/app/ui/button'
import { Bars } from '@/app/ui/chart-bars'
import { Lines } from '@/app/ui/chart-lines'
import { Countdown } from '@/app/ui/countdown'
import { DataTable } from '@/app/ui/data-table'
import { Dialog, DialogButton } from '@/app/ui/dialog.client'
import { EmptyState } from '@/app/ui/empty-state'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import { Menu } from '@/app/ui/menu.client'
import { Pagination } from '@/app/ui/pagination'
import { SecretReveal } from '@/app/ui/secret.client'
import { PageSkeleton } from '@/app/ui/skeleton'
import { Tabs } from '@/app/ui/tabs.client'
import { RelativeTicks } from '@/app/ui/ticks.client'
import { Toasts } from '@/app/ui/toasts.client'
import { deskOf } from '@/lib/core/desk'
import { toast } from '@/lib/portal/toasts'

const HOURS = [0, 1, 2, 3].map((hour) => new Date(Date.UTC(2026, 10, 20, hour)))
const SERIES = [
  { name: 'Requests', tone: 'first', values: [4, 8, 15, 16] },
  { name: 'Errors', tone: 'fault', values: [0, 1, null, 2] },
] as const

const DESK = deskOf(undefined, new Date(Date.UTC(2026, 10, 22)))

/** Shows every component on one page, for the tests only. */
function Everything() {
  const [chosen, setChosen] = useState('nothing')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="grid gap-6">
      <h1>Components</h1>
      <DialogButton label="Revoke" look="danger" title="Revoke this key?">
        {(close) => (
          <form className="grid gap-3">
            <Field label="Reason" hint="Kept in the audit." error="Say why.">
              {(tied) => <Input name="reason" {...tied} />}
            </Field>
            <Button onClick={close}>Keep it</Button>
          </form>
        )}
      </DialogButton>
      <Button onClick={() => setOpen(true)}>Open from outside</Button>
      <Dialog title="From outside" isOpen={isOpen} onClose={() => setOpen(false)} wide>
        <p>Words.</p>
      </Dialog>
      <Menu
        label="Contractor"
        align="start"
        items={[
          { name: 'Cumberland', current: true, onChoose: () => setChosen('Cumberland') },
          { name: 'Lakeshore', hint: 'Electric', onChoose: () => setChosen('Lakeshore') },
          { name: 'All contractors', href: '#all' },
        ]}
      />
      <output>{chosen}</output>
      <Button onClick={() => toast('Key revoked.')}>Say it</Button>
      <Button onClick={() => toast('The key could not be revoked.', 'danger')}>Say it badly</Button>
      <SecretReveal label="API key" secret="plb_test_notarealkey" />
      <p>
        <RelativeTicks at={new Date(Date.now() - 7_200_000).toISOString()} now={new Date().toISOString()} />{' '}
        <Countdown until={new Date(Date.now() + 3_000)} done="over" />
      </p>
      <DataTable
        caption="Keys"
        columns={[
          { name: 'name', head: 'Name', kind: 'text', value: ({ name }) => name },
          { name: 'used', head: 'Requests', kind: 'count', value: ({ used }) => used },
        ]}
        rows={[{ name: 'Sync', used: 12 }]}
        rowKey={({ name }) => name}
      />
      <Pagination of="Keys" next="?after=x" />
      <EmptyState title="No keys yet" text="A key lets a program in." curl="curl http://localhost" />
      <Lines
        title="Requests per hour"
        label="Requests per hour"
        series={SERIES.map((line) => ({ ...line, values: [...line.values] }))}
        places={HOURS.map((hour) => DESK.words.clock(hour))}
        markText={DESK.words.number}
        desk={DESK}
        figures={{
          rows: HOURS,
          rowKey: (hour) => hour.toISOString(),
          columns: [{ name: 'at', head: 'Time', kind: 'moment', value: (hour) => hour }],
        }}
      />
      <Tabs label="Views" tabs={['One', 'Two'].map((name) => ({ id: name, name, content: <p>{name} is shown.</p> }))} />
      <PageSkeleton rows={2} />
      <Toasts />
    </div>
  )
}

/** Shows a picture of every number of places up to as many as a page draws, all named alike. */
function Pictures({ as: Picture, name }: { as: typeof Bars | typeof Lines; name: string }) {
  return Array.from({ length: 62 }, (_, at) => {
    const values = Array.from({ length: at + 1 }, () => 1)
    return (
      <Picture
        key={values.length}
        title={`${values.length} places`}
        label={`${values.length} places`}
        series={[{ name: 'Requests', tone: 'first', values }]}
        places={values.map(() => name)}
        markText={DESK.words.number}
        text={DESK.words.number}
        desk={DESK}
        figures={{ rows: [], rowKey: String, columns: [] }}
      />
    )
  })
}

const place = document.getElementById('content')
if (place) {
  const root = createRoot(place)
  root.render(<Everything />)
  const draw = (kind: 'bars' | 'lines', name: string) =>
    flushSync(() => root.render(<Pictures as={kind === 'bars' ? Bars : Lines} name={name} />))
  Object.assign(window, { draw })
}
