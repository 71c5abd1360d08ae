import type { ReactNode } from 'react'
import { hrefOf } from '@/app/query'
import { Card } from '@/app/ui/card'
import { sentence, storedDay } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { cleanText } from '@/lib/core/clean'
import { phoneText } from '@/lib/core/contact'
import type { Desk } from '@/lib/core/desk'
import { inWords, type ResourceName } from '@/lib/core/resource-names'
import { dataColumns, type Item, type Names, nameOf, numberOf, pageOf, textOf } from './columns'
import { pluralOf, recordList, singularOf, summedBy } from './lists'

/** Links to a record by its name. */
export const RecordLink = ({ of, item }: { of: string; item: Item }) => (
  <a href={pageOf(of, String(item.id))}>{cleanText(nameOf(item))}</a>
)

/** A phone number as a link; as the contractor’s country writes it. */
export const PhoneLink = ({ phone, at }: { phone: string; at: Desk }) => (
  <a href={`tel:${phone.replace(/[^+\d]/g, '')}`} className="whitespace-nowrap">
    {phoneText(cleanText(phone), at.country)}
  </a>
)

export const EmailLink = ({ email }: { email: string }) => (
  <a href={`mailto:${encodeURIComponent(cleanText(email)).replace('%40', '@')}`} className="wrap-anywhere">
    {cleanText(email)}
  </a>
)

/** Returns the lines of an address: the street, then the town. */
export function addressOf(item: Item): string[] {
  const [address, city, state, zip] = ['address', 'city', 'state', 'zip'].map((field) => textOf(item, field))
  const town = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [address, town].flatMap((line) => (line ? [cleanText(line)] : []))
}

/** Writes an amount of a record in its currency. */
export const moneyOf = (item: Item, field: string, { words }: Desk): string | undefined => {
  const amount = numberOf(item, field)
  return amount === undefined ? undefined : words.money(amount, textOf(item, 'currency'))
}

/** Writes a day of a record. */
export const dayOf = (item: Item, field: string, at: Desk): string | undefined => {
  const text = textOf(item, field)
  return text && at.words.day(storedDay(text, at))
}

/** Facts of which those that are unknown are left out. */
export const known = (facts: [name: string, value: ReactNode | undefined][]): [string, ReactNode][] =>
  facts.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)

/** Returns a fact about a sum in a currency; one that is zero says nothing and is left out by {@link known}. */
export const sumIn =
  ({ words }: Desk, currency: string) =>
  (name: string, amount: number): [string, string | undefined] => [
    name,
    amount === 0 ? undefined : words.money(amount, currency),
  ]

/** How a customer is reached. */
export function ContactCard({ customer, at, title = 'Contact' }: { customer: Item; at: Desk; title?: string }) {
  const [phone, email, lines] = [textOf(customer, 'phone'), textOf(customer, 'email'), addressOf(customer)]
  return (
    <Card title={title}>
      <div className="grid gap-1">
        {phone && <p>{<PhoneLink phone={phone} at={at} />}</p>}
        {email && <p>{<EmailLink email={email} />}</p>}
        {lines.map((line) => (
          <p key={line} className="wrap-anywhere">
            {line}
          </p>
        ))}
        {!phone && !email && lines.length === 0 && <p className="text-quiet">No phone, email or street is known.</p>}
      </div>
    </Card>
  )
}

/** The newest records of a kind that belong to another one, as an operation tells them. */
export type Beside = { items: Item[]; names: Names; count: number; total: Record<string, unknown>[] | null }

type BesideProps = {
  name: ResourceName
  beside: Beside
  /** The filter of the list by which all of them are found. */
  of: Record<string, string>
  at: Desk
  title?: string
  /** Columns that say nothing here, such as the project on a project’s page. */
  without?: readonly string[]
  /** The most rows. */
  most?: number
}

/** A table of records that belong to another one, and where the rest of them is. Nothing where there are none. */
export function BesideTable({
  name,
  beside,
  of,
  at,
  without = [],
  most = 10,
  title = sentence(inWords(name)),
}: BesideProps) {
  if (beside.count === 0) return null
  const list = recordList(name)
  const columns = list.columns.filter((column) => !column.isExtra && !without.includes(column.name))
  const items = beside.items.slice(0, most)
  const lines = beside.total ?? []
  return (
    <section aria-label={title}>
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2>{title}</h2>
        {beside.count > items.length && (
          <a href={hrefOf(`/${name}`, of)}>{`All ${at.words.count(beside.count, singularOf(list), pluralOf(list))}`}</a>
        )}
      </div>
      <DataTable
        caption={title}
        columns={dataColumns(columns, singularOf(list), beside.names)}
        rows={items}
        rowKey={({ id }) => String(id)}
        desk={at}
        totals={lines.map(({ currency, ...sums }) => ({
          name: lines.length > 1 ? `Total ${currency}` : 'Total',
          cells: summedBy(sums, columns),
          currency: String(currency),
        }))}
      />
    </section>
  )
}
