import { type Database, type Orm, withinContractor } from '@/db/client'
import {
  type Allocation,
  type Behind,
  changedSince,
  haveLooseMoney,
  type LooseMoney,
  looseMoney,
  type OpenInvoice,
  openInvoices,
  paidBy,
  putAllocations,
  takeBackOverpaid,
} from '@/db/queries/allocate'
import { newRecordId } from '@/lib/core/ids'
import { centsOf } from '@/lib/core/money'
import { Pace } from '@/lib/core/slices'
import { asAmount } from './join/fills'
import { addContradiction, filesWith, type LoadOptions, type LoadReport } from './report'
import { SeenReferences } from './seen'

/** Records that are looked at in one transaction. */
const AT_ONCE = 500
/** The oldest invoices among which a sum is looked for, and the most sums that are tried. */
const MOST_SUMMED = 16
const MOST_TRIES = 4_096

type Left = { money: LooseMoney; cents: bigint }
type Room = { invoice: OpenInvoice; cents: bigint }

/** Returns invoices that add up to an amount exactly, the oldest first; undefined when none do, or too many sums would have to be tried. */
export function combination(rooms: readonly Room[], cents: bigint): Room[] | undefined {
  const among = rooms.slice(0, MOST_SUMMED)
  let tries = 0
  const search = (from: number, left: bigint): Room[] | undefined => {
    if (left === 0n) return []
    for (let at = from; at < among.length; at++) {
      const room = among[at]
      if (++tries > MOST_TRIES) return undefined
      if (!room || room.cents <= 0n || room.cents > left) continue
      const rest = search(at + 1, left - room.cents)
      if (rest) return [room, ...rest]
    }
    return undefined
  }
  return search(0, cents)
}

/** Reports whether an invoice was paid, as its file says, on a day before a payment's. */
const isPaidBefore = ({ settledAt }: OpenInvoice, { date }: LooseMoney) =>
  settledAt !== null && settledAt.slice(0, 10) < date.slice(0, 10)

/** Returns invoices that a payment adds up to; none where others would too and no file says which are paid. */
function sumOf(all: Room[], cents: bigint): Room[] {
  const oldest = combination(all, cents) ?? []
  const newest = new Set(combination([...all].reverse(), cents))
  const isOnly = oldest.length === newest.size && oldest.every((room) => newest.has(room))
  return isOnly || oldest.every(({ invoice }) => invoice.isStated) ? oldest : []
}

/** The payments and invoices of one customer in one currency, while payments are allocated. */
class Account {
  readonly made: Allocation[] = []

  constructor(
    private readonly money: Left[],
    private readonly rooms: Room[],
  ) {}

  private take(left: Left, room: Room): void {
    let cents = left.cents
    if (room.cents < cents) cents = room.cents
    if (cents <= 0n) return
    left.cents -= cents
    room.cents -= cents
    this.made.push({ payment: left.money, invoice: room.invoice, cents: String(cents) })
  }

  /** A payment pays the invoices that it names. */
  byName(named: ReadonlyMap<string, readonly string[]>): void {
    for (const left of this.money)
      for (const reference of named.get(left.money.reference) ?? [])
        for (const room of this.rooms) if (room.invoice.reference === reference) this.take(left, room)
  }

  /**
   * A payment pays an invoice of its amount, or several that add up to it; then, of those whose file says what is open and that were not
   * paid before it, the oldest. What an office put on a project itself pays only what its invoices say was paid.
   */
  byAmount(): void {
    for (const left of this.money) {
      const all = this.rooms.filter(({ cents, invoice }) => cents > 0n && (invoice.isStated || left.money.isOfAccount))
      if (left.cents > 0n) for (const room of this.exactly(left, all)) this.take(left, room)
      const stated = all.filter(({ invoice }) => invoice.isStated && !isPaidBefore(invoice, left.money))
      for (const room of stated) this.take(left, room)
    }
  }

  /** Returns the invoices that a payment pays to the cent; none where several invoices fit and nothing says which. */
  private exactly(left: Left, all: Room[]): Room[] {
    const ofProject = all.filter(({ invoice }) => invoice.projectId === left.money.projectId)
    const exact = new Set([...ofProject, ...all].filter(({ cents }) => cents === left.cents))
    const [first] = exact
    if (!first) return sumOf(all, left.cents)
    return first.invoice.isStated || exact.size === 1 ? [first] : []
  }
}

type Owned = { customerId: string; currency: string }

/** Groups what belongs to a customer and a currency. */
function byKey<T>(items: readonly T[], ownedBy: (item: T) => Owned): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const { customerId, currency } = ownedBy(item)
    const key = `${customerId} ${currency}`
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

/** Allocates what some customers paid. */
function allocate(
  money: LooseMoney[],
  invoices: OpenInvoice[],
  named: ReadonlyMap<string, readonly string[]>,
): { made: Allocation[]; left: Left[] } {
  const lefts = money
    .filter(({ type }) => type === 'payment_received')
    .map((each): Left => ({ money: each, cents: centsOf(each.remaining) }))
  const rooms = byKey(
    invoices.map((invoice): Room => ({ invoice, cents: centsOf(invoice.capacity) })),
    ({ invoice }) => invoice,
  )
  const made: Allocation[] = []
  for (const [key, own] of byKey(lefts, ({ money }) => money)) {
    const account = new Account(own, rooms.get(key) ?? [])
    account.byName(named)
    account.byAmount()
    made.push(...account.made)
  }
  return { made, left: lefts.filter(({ cents }) => cents > 0n) }
}

/** Returns what opens the invoices again that payments had paid which came back. */
async function reopened(orm: Orm, contractorId: string, money: LooseMoney[]): Promise<Allocation[]> {
  const returned = money.filter(({ type, remaining }) => type === 'reversal' && centsOf(remaining) > 0n)
  if (returned.length === 0) return []
  return (await paidBy(orm, contractorId, returned)).flatMap(({ reversal, invoice }) => {
    const payment = returned.find(({ id }) => id === reversal)
    return payment ? [{ payment, invoice, cents: `-${centsOf(payment.remaining)}` }] : []
  })
}

/** Allocates what some customers paid. @returns what no invoice used */
async function allocateOf(
  orm: Orm,
  contractorId: string,
  customers: string[],
  named: ReadonlyMap<string, readonly string[]>,
): Promise<Left[]> {
  await takeBackOverpaid(orm, contractorId, customers)
  const money = await looseMoney(orm, contractorId, customers)
  const { made, left } = allocate(money, await openInvoices(orm, contractorId, customers), named)
  await putAllocations(orm, contractorId, [...made, ...(await reopened(orm, contractorId, money))], () =>
    newRecordId('alc'),
  )
  return left
}

const noteLeft = (report: LoadReport, { money, cents }: Left) =>
  addContradiction(report, {
    file: filesWith(report, 'payments'),
    line: null,
    field: 'invoice',
    value: money.number ?? money.reference,
    reason: `${asAmount(cents)} ${money.currency} of ${money.date.slice(0, 10)} pays no invoice of its customer for certain; it stays the customer's credit`,
  })

/** Steps through the customers whose invoices or payments were written since a moment, some at a time, each once. */
export async function* changedCustomers(db: Database, contractorId: string, since: string): AsyncGenerator<string[]> {
  const pace = new Pace(db)
  const seen = new SeenReferences()
  // What was written at that very moment is behind no id.
  for (const kind of ['invoices', 'payments', 'returned'] as const)
    for (let behind: Behind | undefined = { at: since, id: '' }; behind; ) {
      const page = await changedSince(db.orm, contractorId, kind, behind, AT_ONCE)
      const customers = page.map(({ customer }) => customer).filter((id) => seen.firstLine(id, 1) === undefined)
      if (customers.length > 0) yield customers
      behind = page.length < AT_ONCE ? undefined : page.at(-1)
      await pace.between()
    }
}

/**
 * Allocates payments that name no invoice, or several, within their customers: by name, by amount, by a sum of amounts, then the oldest first
 * as far as the files say that invoices are paid. What is left is the customer's credit, and is noted. A payment that came back opens
 * what it paid.
 * @param named the invoices that payments name, where they are several, by the payment's reference
 */
export async function allocatePayments(
  db: Database,
  contractorId: string,
  customers: string[],
  named: ReadonlyMap<string, readonly string[]>,
  { report, options }: { report: LoadReport; options: LoadOptions },
): Promise<void> {
  if (!(await haveLooseMoney(db.orm, contractorId, customers))) return
  const step = await options.noting?.begin('allocation of payments')
  const work = (orm: Orm) => allocateOf(orm, contractorId, customers, named)
  for (const each of await withinContractor(db.orm, contractorId, work, { step }))
    if (each.money.isOfAccount) noteLeft(report, each)
}
