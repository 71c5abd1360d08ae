import type { Metadata } from 'next'
import { cache } from 'react'
import { hrefOf } from '@/app/query'
import { ActionForm } from '@/app/ui/action-form.client'
import { Card } from '@/app/ui/card'
import { Amounts } from '@/app/ui/facts'
import { RecordHeader } from '@/app/ui/record-header'
import { Timeline } from '@/app/ui/timeline'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import { mayRun } from '@/lib/operations/access'
import { findSimilarCustomers, joinCustomers } from '@/lib/operations/customers'
import { viewCustomer } from '@/lib/operations/desk/view-customer'
import { execute } from '@/lib/operations/execute'
import { WriteNote } from '../../entries/notes-card'
import { type Item, nameOf, textOf } from '../../records/columns'
import { Deleted } from '../../records/deleted'
import { ForDevelopers } from '../../records/for-developers'
import { type Beside, ContactCard, known, sumIn } from '../../records/parts'
import { readRecord } from '../../records/read-record'
import { joinAction, separateAction } from './actions'
import { storyOf } from './story'

/** Customers who may be the one that is shown, known to another program, and the buttons that join or separate them. */
async function Similar({ actor, customer }: { actor: PersonActor; customer: string }) {
  if (!mayRun(joinCustomers, actor)) return null
  const { items } = await execute(findSimilarCustomers, { actor, now: new Date() }, { customer })
  if (items.length === 0) return null
  const { contractorId } = actor
  return (
    <Card title="The same person?" className="mb-6">
      <p className="max-w-prose">
        These customers have the same name, email or phone. Join one that is the same person: its projects become this
        customer’s, and so does what later files bring for it. Separated again, it gets back the projects that it had;
        what came since stays.
      </p>
      <ul className="mt-3 grid gap-3">
        {items.map(({ id, name, email, phone, address, joined }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-3"
          >
            <span className="min-w-0 wrap-anywhere">
              {joined ? cleanText(name) : <a href={`/customers/${id}`}>{cleanText(name)}</a>}
              <span className="block text-sm text-quiet">
                {[joined ? 'joined' : '', email, phone, address]
                  .filter(Boolean)
                  .map((text) => cleanText(text ?? ''))
                  .join(' · ')}
              </span>
            </span>
            {joined ? (
              <ActionForm
                action={separateAction}
                submit="Separate"
                look="plain"
                size="small"
                values={{ contractorId, other: id }}
              />
            ) : (
              <ActionForm
                action={joinAction}
                submit="Join"
                look="plain"
                size="small"
                values={{ contractorId, customer, other: id }}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Props = { params: Promise<{ id: string }> }

const find = cache((id: string) => readRecord(viewCustomer, id))
const titleOf = (record: Item) => cleanText(nameOf(record))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found } = await find((await params).id)
  return { title: found ? titleOf(found.record) : 'Deleted customer' }
}

type Balance = Record<
  'billed' | 'received' | 'refunded' | 'reversed' | 'unpaid' | 'overdue' | 'future' | 'unapplied',
  number
> & { currency: string }

/** Returns what a customer owes in the contractor’s currency, and how much of it is late. */
function figureOf(balance: Balance[], { words, currency }: Desk) {
  const own = balance.find((each) => each.currency === currency) ?? balance[0]
  if (!own) return undefined
  const text = own.overdue > 0 ? `owed, ${words.money(own.overdue, own.currency)} of it overdue` : 'owed'
  return { name: 'Owes', value: words.money(own.unpaid, own.currency), text }
}

export default async function CustomerPage({ params }: Props) {
  const { id, at, actor, found, deletedAt } = await find((await params).id)
  if (!found) return <Deleted singular="customer" path="/customers" id={id} at={deletedAt} />
  const { record, balance = [], projects } = found
  const story = storyOf(found, at)
  return (
    <>
      <RecordHeader
        list={{ href: '/customers', name: 'Customers' }}
        title={titleOf(record)}
        figure={figureOf(balance, at)}
        facts={known([
          ['Reference', textOf(record, 'sourceReference') && cleanText(textOf(record, 'sourceReference') ?? '')],
        ])}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-6 xl:order-2">
          <ContactCard customer={record} at={at} />
          {balance.map((each) => (
            <BalanceCard key={each.currency} balance={each} isOnly={balance.length === 1} at={at} />
          ))}
          <Holdings id={id} account={found} at={at} />
        </div>
        <div className="grid min-w-0 gap-6">
          <Similar actor={actor} customer={id} />
          <WriteNote
            actor={actor}
            projects={projects.items.map((item) => ({
              id: String(item.id),
              name: nameOf(item),
              isLead: item.status === 'lead',
            }))}
          />
          <section aria-labelledby="story">
            <h2 id="story" className="mb-3">
              Timeline
            </h2>
            {story.length === 0 ? (
              <p className="text-quiet">Nothing yet.</p>
            ) : (
              <Timeline label="Timeline" events={story} />
            )}
          </section>
        </div>
      </div>
      <ForDevelopers path="/customers" id={id} found={found} />
    </>
  )
}

/** What a customer was billed and has paid, in one currency. Sums that are zero say nothing and are left out. */
function BalanceCard({ balance, isOnly, at }: { balance: Balance; isOnly: boolean; at: Desk }) {
  const sum = sumIn(at, balance.currency)
  return (
    <Card title={isOnly ? 'Balance' : `Balance in ${balance.currency}`}>
      <Amounts
        amounts={known([
          ['Owes', at.words.money(balance.unpaid, balance.currency)],
          sum('Overdue', balance.overdue),
          sum('In credit', balance.unapplied),
          sum('Billed ahead', balance.future),
          sum('Billed', balance.billed),
          sum('Received', balance.received),
          sum('Refunded', balance.refunded),
          sum('Came back', balance.reversed),
        ])}
      />
    </Card>
  )
}

const KINDS = [
  ['projects', 'Projects'],
  ['invoices', 'Invoices'],
  ['payments', 'Payments'],
  ['estimates', 'Estimates'],
] as const

/** How many records of each kind a customer has, and where they are. */
function Holdings({ id, account, at }: { id: string; account: Record<(typeof KINDS)[number][0], Beside>; at: Desk }) {
  return (
    <Card title="Records">
      <ul>
        {KINDS.map(([name, title]) => (
          <li
            key={name}
            className="flex items-baseline justify-between gap-4 border-t border-line py-1.5 first:border-t-0"
          >
            {account[name].count > 0 ? <a href={hrefOf(`/${name}`, { customerId: id })}>{title}</a> : title}
            <span className="tabular-nums">{at.words.number(account[name].count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
