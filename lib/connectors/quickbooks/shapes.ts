import * as z from 'zod'
import { faultsOf, sentenceOf } from '@/lib/core/faults'
import { ConnectorFault } from '../connector'

// The shapes that Intuit publishes for version 3 of its accounting API, with the fields that are read. Fields beyond them pass; a missing
// one ends the run with its name, so that nothing is written from an answer that means something else.

const Id = z.string().min(1).max(50)
const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a day such as 2026-11-20')
const Ref = z.object({ value: Id, name: z.string().optional() })
/** An amount, which Intuit writes as a number with two decimals. */
const Amount = z.number().refine((amount) => Number.isFinite(amount) && Math.abs(amount) < 1e12, 'is not an amount')

const MetaData = z.object({ CreateTime: z.string().optional(), LastUpdatedTime: z.string().optional() })
const Told = { Id, MetaData: MetaData.optional() }

const Address = z.object({
  Line1: z.string().optional(),
  Line2: z.string().optional(),
  City: z.string().optional(),
  CountrySubDivisionCode: z.string().optional(),
  PostalCode: z.string().optional(),
})

export const Customer = z.object({
  ...Told,
  DisplayName: z.string().min(1),
  FullyQualifiedName: z.string().optional(),
  Job: z.boolean().optional(),
  ParentRef: Ref.optional(),
  Active: z.boolean().optional(),
  PrimaryEmailAddr: z.object({ Address: z.string().optional() }).optional(),
  PrimaryPhone: z.object({ FreeFormNumber: z.string().optional() }).optional(),
  Mobile: z.object({ FreeFormNumber: z.string().optional() }).optional(),
  BillAddr: Address.optional(),
  ShipAddr: Address.optional(),
})

const SalesLine = z.object({ DetailType: z.string(), Amount: Amount.optional() })

const Sale = {
  ...Told,
  DocNumber: z.string().optional(),
  TxnDate: Day,
  CustomerRef: Ref,
  CurrencyRef: Ref.optional(),
  TotalAmt: Amount,
  Line: z.array(SalesLine),
  TxnTaxDetail: z.object({ TotalTax: Amount.optional() }).optional(),
  PrivateNote: z.string().optional(),
}

export const Invoice = z.object({ ...Sale, Balance: Amount, DueDate: Day.optional() })
export const CreditMemo = z.object({ ...Sale, Balance: Amount.optional(), RemainingCredit: Amount.optional() })
export const Estimate = z.object({
  ...Sale,
  ExpirationDate: Day.optional(),
  TxnStatus: z.enum(['Accepted', 'Closed', 'Pending', 'Rejected', 'Converted']).optional(),
})

const Paid = { PaymentMethodRef: Ref.optional(), PaymentRefNum: z.string().optional() }

/** A sale that was paid at once. */
export const SalesReceipt = z.object({ ...Sale, ...Paid, CustomerRef: Ref.optional() })
export const RefundReceipt = z.object({ ...Sale, ...Paid, CustomerRef: Ref.optional() })

const LinkedTxn = z.object({ TxnId: Id, TxnType: z.string() })

export const Payment = z.object({
  ...Told,
  ...Paid,
  TxnDate: Day,
  CustomerRef: Ref,
  CurrencyRef: Ref.optional(),
  TotalAmt: Amount,
  UnappliedAmt: Amount.optional(),
  PrivateNote: z.string().optional(),
  Line: z.array(z.object({ Amount, LinkedTxn: z.array(LinkedTxn).optional() })).optional(),
})

/** The objects that are read, in the order in which they refer to each other. */
export const SHAPES = { Customer, Invoice, CreditMemo, SalesReceipt, Estimate, Payment, RefundReceipt } as const
export type Entity = keyof typeof SHAPES

/** A way to pay, which payments name by its id. */
export const PaymentMethod = z.object({ Id, Name: z.string() })

/** A payment that names its method by the id alone. */
export const BareMethod = z.looseObject({ PaymentMethodRef: z.object({ value: Id, name: z.literal('').optional() }) })

/** An object in a list of changes that was deleted. */
export const Deleted = z.object({ Id, status: z.literal('Deleted') })

export const QueryAnswer = z.object({
  QueryResponse: z.looseObject({ startPosition: z.int().optional(), maxResults: z.int().optional() }),
  time: z.string(),
})

export const CdcAnswer = z.object({
  CDCResponse: z.array(z.object({ QueryResponse: z.array(z.looseObject({})) })).min(1),
  time: z.string(),
})

const FaultError = z.object({
  Message: z.string().optional(),
  message: z.string().optional(),
  Detail: z.string().optional(),
  detail: z.string().optional(),
  code: z.string().optional(),
})

/** A refusal; the gate before the API writes it in lower case. */
export const Fault = z.object({
  Fault: z.object({ Error: z.array(FaultError), type: z.string().optional() }).optional(),
  fault: z.object({ error: z.array(FaultError), type: z.string().optional() }).optional(),
})

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1),
  x_refresh_token_expires_in: z.number().positive(),
})

export const CompanyAnswer = z.object({ CompanyInfo: z.object({ CompanyName: z.string() }) })

/**
 * Reads a value as its published shape.
 * @param what what it is, for people: `Invoice 95`
 * @throws ConnectorFault `shape` that names the field
 */
export function read<S extends z.ZodType>(shape: S, value: unknown, what: string): z.output<S> {
  const parsed = shape.safeParse(value, { error: sentenceOf })
  if (parsed.success) return parsed.data
  const [{ field, message } = { field: 'body', message: 'cannot be read' }] = faultsOf(parsed.error, 'body')
  throw new ConnectorFault(
    'shape',
    `QuickBooks answers in a form that this version does not know: ${what}, ${field} ${message}. Nothing of this answer was written. Tell whoever runs this service.`,
  )
}
