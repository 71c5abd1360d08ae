import type * as z from 'zod'
import { withoutDeleted } from '@/lib/load/identity'
import type { Incoming, IncomingPart, IncomingPayment } from '../connector'
import { asText, centsIn, partsOf } from './parts'
import {
  CreditMemo,
  Customer,
  Deleted,
  type Entity,
  Estimate,
  Invoice,
  Payment,
  RefundReceipt,
  read,
  SalesReceipt,
} from './shapes'

type Names = ReadonlyMap<string, string>
type Sale = z.output<typeof Invoice> | z.output<typeof CreditMemo> | z.output<typeof SalesReceipt>

const createdAt = ({ MetaData }: { MetaData?: { CreateTime?: string | undefined } | undefined }): string | undefined =>
  MetaData?.CreateTime

function customer(object: unknown): Incoming {
  const it = read(Customer, object, whatOf('Customer', object))
  const at = it.BillAddr ?? it.ShipAddr
  const base = {
    entity: 'Customer',
    id: it.Id,
    address: [at?.Line1, at?.Line2].filter(Boolean).join(', ') || undefined,
    city: at?.City,
    state: at?.CountrySubDivisionCode,
    zip: at?.PostalCode,
    createdAt: createdAt(it),
  }
  const parent = it.ParentRef?.value
  if (it.Job === true && parent !== undefined) {
    // All but the customer's own name: `Hill, Dana:Kitchen:Tiles` is her job `Kitchen:Tiles`, as the exports have it.
    const [, ...below] = (it.FullyQualifiedName ?? '').split(':')
    const name = withoutDeleted(below.join(':') || it.DisplayName)
    return { ...base, kind: 'job', parent, name, status: it.Active === false ? 'completed' : 'in_progress' }
  }
  return {
    ...base,
    kind: 'customer',
    name: withoutDeleted(it.DisplayName),
    email: it.PrimaryEmailAddr?.Address?.split(/[,;\s]+/).find(Boolean),
    phone: it.PrimaryPhone?.FreeFormNumber ?? it.Mobile?.FreeFormNumber,
  }
}

/** Lines that only repeat others. */
const REPEATS = ['SubTotalLineDetail']

/**
 * Returns why a sale's lines do not add up to its total, or undefined. What a discount takes off is one of its lines; tax is added, unless
 * the lines have it already.
 */
function discrepancy({ Line, TotalAmt, TxnTaxDetail }: Sale): string | undefined {
  let lines = 0n
  for (const { DetailType, Amount = 0 } of Line) {
    if (REPEATS.includes(DetailType)) continue
    lines += DetailType === 'DiscountLineDetail' ? -centsIn(Amount) : centsIn(Amount)
  }
  const total = centsIn(TotalAmt)
  const taxed = lines + centsIn(TxnTaxDetail?.TotalTax ?? 0)
  if (lines === total || taxed === total) return undefined
  return `its lines add up to ${asText(lines)}, with tax ${asText(taxed)}, and its total is ${asText(total)}`
}

/** A voided transaction stays, with no amount and this note. */
const isVoid = ({ PrivateNote, TotalAmt }: { PrivateNote?: string | undefined; TotalAmt: number }) =>
  centsIn(TotalAmt) === 0n && /^voided\b/i.test(PrivateNote?.trim() ?? '')

/** Companies may turn numbers off, or leave one blank: the id, which no other transaction of the company has, stands in its place. */
function numberOf({ DocNumber, Id }: Pick<Sale, 'DocNumber' | 'Id'>): { number: string; isUnnumbered: boolean } {
  const given = DocNumber?.trim()
  return given ? { number: given, isUnnumbered: false } : { number: `QBO-${Id}`, isUnnumbered: true }
}

const billed = (entity: string, it: Sale | z.output<typeof Estimate>, sign = 1n) => ({
  entity,
  id: it.Id,
  ...numberOf(it),
  customer: it.CustomerRef?.value ?? '',
  amount: asText(sign * centsIn(it.TotalAmt)),
  currency: it.CurrencyRef?.value,
  date: it.TxnDate,
  createdAt: createdAt(it),
})

const refused = (entity: string, id: string, reason: string): Incoming => ({ kind: 'refused', entity, id, reason })

function invoice(object: unknown): Incoming {
  const it = read(Invoice, object, whatOf('Invoice', object))
  const wrong = discrepancy(it)
  if (wrong) return refused('Invoice', it.Id, wrong)
  const balance = asText(centsIn(it.Balance))
  return { ...billed('Invoice', it), kind: 'invoice', dueDate: it.DueDate, balance, isVoid: isVoid(it) }
}

function creditMemo(object: unknown): Incoming {
  const it = read(CreditMemo, object, whatOf('CreditMemo', object))
  const wrong = discrepancy(it)
  if (wrong) return refused('CreditMemo', it.Id, wrong)
  return { ...billed('CreditMemo', it, -1n), kind: 'invoice', dueDate: it.TxnDate, isVoid: isVoid(it) }
}

function money(
  entity: string,
  it: z.output<typeof SalesReceipt> | z.output<typeof Payment>,
  parts: IncomingPart[],
  methods: Names,
): IncomingPayment {
  return {
    kind: 'payment',
    entity,
    id: it.Id,
    customer: it.CustomerRef?.value ?? '',
    currency: it.CurrencyRef?.value,
    date: it.TxnDate,
    method: it.PaymentMethodRef?.name || methods.get(it.PaymentMethodRef?.value ?? ''),
    reference: it.PaymentRefNum?.trim() || undefined,
    createdAt: createdAt(it),
    total: asText(centsIn(it.TotalAmt)),
    parts,
  }
}

const NOBODY = 'it names no customer'

/** A sale that was paid at once is an invoice and its payment. */
function salesReceipt(object: unknown, methods: Names): Incoming[] {
  const it = read(SalesReceipt, object, whatOf('SalesReceipt', object))
  const wrong = it.CustomerRef ? discrepancy(it) : NOBODY
  if (wrong) return [refused('SalesReceipt', it.Id, wrong)]
  const total = centsIn(it.TotalAmt)
  const parts: IncomingPart[] =
    total > 0n
      ? [{ key: 'paid', type: 'payment', amount: asText(total), invoice: { entity: 'SalesReceipt', id: it.Id } }]
      : []
  return [
    { ...billed('SalesReceipt', it), kind: 'invoice', dueDate: it.TxnDate, isVoid: isVoid(it) },
    money('SalesReceipt', it, parts, methods),
  ]
}

function refundReceipt(object: unknown, methods: Names): Incoming {
  const it = read(RefundReceipt, object, whatOf('RefundReceipt', object))
  const wrong = it.CustomerRef ? discrepancy(it) : NOBODY
  if (wrong) return refused('RefundReceipt', it.Id, wrong)
  const total = centsIn(it.TotalAmt)
  const parts: IncomingPart[] = total > 0n ? [{ key: 'refund', type: 'refund', amount: asText(total) }] : []
  return money('RefundReceipt', it, parts, methods)
}

const STATUS = {
  Pending: 'sent',
  Accepted: 'accepted',
  Closed: 'accepted',
  Converted: 'accepted',
  Rejected: 'declined',
} as const

function estimate(object: unknown): Incoming {
  const it = read(Estimate, object, whatOf('Estimate', object))
  const wrong = discrepancy(it)
  if (wrong) return refused('Estimate', it.Id, wrong)
  const status = STATUS[it.TxnStatus ?? 'Pending']
  return { ...billed('Estimate', it), kind: 'estimate', validUntil: it.ExpirationDate, status }
}

function payment(object: unknown, methods: Names): Incoming {
  const it = read(Payment, object, whatOf('Payment', object))
  const parts = partsOf(it)
  return 'reason' in parts ? refused('Payment', it.Id, parts.reason) : money('Payment', it, parts.parts, methods)
}

/** Returns what an object is called in a message: `Invoice 95`. */
function whatOf(entity: string, object: unknown): string {
  const id =
    typeof object === 'object' && object !== null && 'Id' in object ? String(object.Id).slice(0, 50) : 'without an Id'
  return `${entity} ${id}`
}

const READERS = {
  Customer: customer,
  Invoice: invoice,
  CreditMemo: creditMemo,
  SalesReceipt: salesReceipt,
  Estimate: estimate,
  Payment: payment,
  RefundReceipt: refundReceipt,
} satisfies Record<Entity, (object: unknown, methods: Names) => Incoming | Incoming[]>

/**
 * Reads an object of an answer.
 * @param methods the names of payment methods, by their ids
 * @throws ConnectorFault `shape` when it is not what Intuit publishes
 */
export function incomingOf(entity: Entity, object: unknown, methods: Names = new Map()): Incoming[] {
  const gone = Deleted.safeParse(object)
  return gone.success ? [{ kind: 'gone', entity, id: gone.data.Id }] : [READERS[entity](object, methods)].flat()
}
