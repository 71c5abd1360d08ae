import { baseUrls, env } from '@/lib/core/env'
import type { ResourceName } from '@/lib/core/resource-names'

/**
 * The kinds of end that a request to a vendor can come to. `reconnect`: the grant is over, and only a person can renew it. `throttled`: too
 * many requests. `unreachable`: no answer, or one of a server that is down. `refused`: the vendor refuses, and says why. `shape`: an answer
 * that is not what the vendor publishes.
 */
export type FaultKind = 'reconnect' | 'throttled' | 'unreachable' | 'refused' | 'shape'

/** The error thrown when a vendor did not give what was asked for. The message is for administrators: what happened, and what to do. */
export class ConnectorFault extends Error {
  override name = 'ConnectorFault'

  constructor(
    readonly kind: FaultKind,
    message: string,
    /** Milliseconds after which the vendor may be asked again, where it says so. */
    readonly waitMs?: number,
  ) {
    super(message)
  }
}

/** The connectors that there are: their names in the database and in URLs. */
export const CONNECTOR_NAMES = ['quickbooks'] as const
export type ConnectorName = (typeof CONNECTOR_NAMES)[number]

/** Returns the URL where a vendor sends a person back to: a page of the portal. */
export const callbackOf = (name: ConnectorName): string => `${baseUrls(env()).portal}/data/${name}/callback`

/** Returns where a vendor posts that something changed. */
export const webhookOf = (name: ConnectorName): string => `${baseUrls(env()).api}/api/webhooks/${name}`

/** An object of the vendor: its type there, and its id. */
export type Source = { entity: string; id: string }

/** The location that a customer or a job states. */
type Address = {
  address?: string | undefined
  city?: string | undefined
  state?: string | undefined
  zip?: string | undefined
}

/** A person or business that is billed. */
export type IncomingCustomer = Source &
  Address & {
    kind: 'customer'
    name: string
    email?: string | undefined
    phone?: string | undefined
    createdAt?: string | undefined
  }

/** A job: it belongs to `parent`, a customer or another job. */
export type IncomingJob = Source &
  Address & {
    kind: 'job'
    parent: string
    name: string
    status: 'in_progress' | 'completed'
    createdAt?: string | undefined
  }

/**
 * The fields that invoices and estimates share. Amounts are decimal text with two decimals; days are `YYYY-MM-DD`. `customer` is a customer
 * or a job.
 */
type Billed = Source & {
  number: string
  /** True when nobody gave it a number there: `number` is made of its id. */
  isUnnumbered: boolean
  customer: string
  amount: string
  currency: string | undefined
  date: string
  createdAt?: string | undefined
}

/** An invoice; a credit memo is one with a negative amount. `isVoid`: it is gone for the books. */
export type IncomingInvoice = Billed & {
  kind: 'invoice'
  dueDate: string | undefined
  balance?: string | undefined
  isVoid: boolean
}

export type IncomingEstimate = Billed & {
  kind: 'estimate'
  validUntil: string | undefined
  status: 'sent' | 'accepted' | 'declined'
}

/** A part of a payment: what it pays of one invoice, or what no invoice has used. An adjustment's amount may be negative. */
export type IncomingPart = {
  /** Tells the parts of a payment apart, and stays the same when it is read again. */
  key: string
  type: 'payment' | 'refund' | 'adjustment'
  amount: string
  invoice?: Source | undefined
}

/** A movement of money, or a credit that was used. */
export type IncomingPayment = Source & {
  kind: 'payment'
  customer: string
  currency: string | undefined
  date: string
  method: string | undefined
  reference: string | undefined
  createdAt?: string | undefined
  /** The whole of the money; a file that was loaded before knows it by that. */
  total: string
  parts: IncomingPart[]
}

/** An object that was deleted. */
export type IncomingGone = Source & { kind: 'gone' }

/** An object whose amounts do not add up. It is not written; what is stored of it stays. */
export type IncomingRefused = Source & { kind: 'refused'; reason: string }

/** A record that a connector reads, in terms that are no vendor's. The engine writes it (lib/connectors/sync). */
export type Incoming =
  | IncomingCustomer
  | IncomingJob
  | IncomingInvoice
  | IncomingEstimate
  | IncomingPayment
  | IncomingGone
  | IncomingRefused

/** A page of a walk. `first` and `last` are ids of objects; `next` is where the next page begins, or null after the last one. */
export type Page = { items: Incoming[]; read: number; first: string | null; last: string | null; next: number | null }

/** The changes since a moment, and the vendor's time of the answer. */
export type Changes = { items: Incoming[]; read: number; time: Date }

/** The session that a connector asks with: whose books, a token that works, and a signal that ends it. */
export type Session = {
  company: string
  /** @param isRefused the vendor did not take this token: another one is needed */
  token(isRefused?: string): Promise<string>
  signal: AbortSignal
  /** Lists of names by id that a run asks for once, when something first needs one. */
  names: Map<string, Promise<ReadonlyMap<string, string>>>
}

/** Tokens as a vendor gives them, each with the seconds it lives. */
export type Tokens = { access: string; accessSeconds: number; refresh: string; refreshSeconds: number }

/** A notice that something changed in somebody's books; with `isMerge`, what merged may be in no list of changes. */
export type Notice = { company: string; isMerge: boolean }

/**
 * The software whose books are read. Everything that differs between vendors is here: how to connect, how to ask, and what the answers
 * mean. Asking throws a `ConnectorFault`.
 */
export type Connector = {
  name: ConnectorName
  title: string
  /** Settings that are missing; none when people can connect. */
  missing(): string[]
  environment(): string
  /** Returns where a person allows the connection. */
  authorizeUrl(asked: { state: string; redirect: string }): string
  /** Returns what came back with the person; undefined when they or the vendor refused. */
  granted(query: URLSearchParams): { code: string; company: string } | undefined
  exchange(asked: { code: string; redirect: string }): Promise<Tokens>
  refresh(refreshToken: string): Promise<Tokens>
  revoke(refreshToken: string): Promise<void>
  companyName(session: Session): Promise<string | null>
  /** The resources that its objects become. */
  resources: readonly ResourceName[]
  /** The kinds of objects in the order in which a walk reads them: each refers to earlier ones. */
  kinds: readonly string[]
  /** Kinds whose objects can be deleted there. */
  deletable: readonly string[]
  page(session: Session, kind: string, position: number): Promise<Page>
  /** Objects by their ids; those that are gone are left out. */
  find(session: Session, entity: string, ids: string[]): Promise<Incoming[]>
  /** Returns what changed; undefined when it is more than one answer holds, so that everything must be read. */
  changes(session: Session, since: Date): Promise<Changes | undefined>
  /** The time back to which changes can be asked for, in milliseconds. */
  reachMs: number
  /** Reads what a webhook says. @throws ServiceError `unauthorized` without the right signature */
  notices(raw: Uint8Array, header: (name: string) => string | null): Notice[]
}
