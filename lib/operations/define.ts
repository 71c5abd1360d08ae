import type * as z from 'zod'
import type { Actor, KeyActor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'
import type { ServiceError } from '@/lib/core/errors'
import type { PolicyName } from '@/lib/limits/policies'

/** A request's body as it came in: kept with what became of it, so that nothing a sender sent is lost. */
export type Received = {
  requestId: string
  at: Date
  /** The body decoded as UTF-8, up to the cap; what is not UTF-8 shows as U+FFFD. */
  body: string
  bytes: number
  contentType: string | null
  path: string
  /** The bytes that were sent, which a signature is over. */
  raw: Uint8Array
  header(name: string): string | null
}

/** A request's body that is read as it arrives. Reading fails once the key is no longer valid. */
export type Incoming = AsyncIterable<Uint8Array>

/** Gives the signal that the client has gone away, so that what waits for its sake ends. */
export type Gone = () => AbortSignal

/**
 * The context of an operation: on whose behalf it runs, the moment taken as now, and, over HTTP, the body that was sent and whether the
 * client left.
 */
export type Context = { actor: Actor; now: Date; received?: Received; incoming?: Incoming; gone?: Gone }

/** The facts that an interface may tell of an answer beside its text. */
export type About = {
  /** A word for this version of the answer: while it is the same, so is what the answer says. Only letters, digits, `-` and `_`. */
  version?: string
  /** The page token of the next page. */
  next?: string | undefined
  /** True when there are more records and no page token to go on with, for want of a secret. */
  isCut?: boolean
  /** The path of what the request made, as the operation's own paths are written. */
  location?: string | undefined
}

/** A JSON text that is already exactly what may leave, such as a list the database wrote from a resource's named columns. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly about: About = {},
  ) {}
}

/**
 * An answer that is sent while it is read, record by record. Whoever takes it must end `chunks`, by reading them or by `return`.
 */
export class Streamed {
  constructor(
    readonly type: string,
    readonly headers: Record<string, string>,
    readonly chunks: AsyncGenerator<string>,
  ) {}
}

/** An announced end (RFC 9745, RFC 8594): `since` when it was deprecated, `sunset` when it stops, `link` where it is explained. */
export type Deprecation = { since: Date; sunset?: Date; link?: string }

/** The path at which an operation is served: under `/api/v1` (root-relative on the data API's host), or at the root of every host. */
type Place = { path: `/${string}`; at: 'data' | 'root' }

/** An answer that an operation gives when all is well. */
export type SuccessAnswer = { description: string; schema: z.ZodType; example: unknown }

/** A GET answers 200 with the output; `statusOf` where its result can also mean another status, which `others` describes. */
export type GetBinding = Place & {
  method: 'GET'
  /** True when its answers carry a version, so that a client that has it already is told so (304). */
  versioned?: true
  /** The answer is streamed, in one of these media types; the parameter `format` or else `Accept` chooses by its short name. */
  streams?: Record<'ndjson' | 'csv', SuccessAnswer & { type: string }>
  others?: Record<number, SuccessAnswer>
  statusOf?(result: unknown): number
}

/** The binding of a POST. `body: 'json'` reads the operation's input from it, `'text'` leaves it to the operation. */
export type PostBinding = Place & {
  method: 'POST'
  body: 'json' | 'text'
  /** Media types taken; `application/json` stands for every `+json` too. */
  types: string[]
  /** Takes a body of any type and encoding, from senders that cannot be asked: the operation reads what it looks like. */
  isLenient?: true
  maxBytes: number
  /** The schema of the body, for the documents, where the input does not say it. */
  bodySchema?: z.ZodObject
  /** A body that is taken, as JSON. */
  bodyExample: Record<string, unknown>
  /** Takes a key also where senders can set no header: as the password of HTTP Basic, or in the body. */
  lenientKey?: { inBody(path: string, body: string): string | undefined }
  /**
   * Takes a key also in its path, behind a dot, and answers a GET there that asks whether the address is ours: `asked` returns the text
   * that proves it, undefined for a GET that asks nothing, and `allow` throws when this key's holder may not have it.
   */
  proof?: { asked(url: URL): string | undefined; allow(actor: KeyActor, url: URL): Promise<void> }
  /** Returns how many requests a body counts as against the limit per key; one where it is left out. */
  costOf?(actor: KeyActor, received: Received): number
  answers: Record<number, SuccessAnswer>
  statusOf(result: unknown): number
}

/** The binding of a PUT: its body is streamed to the operation, whose input is the path, the query and some headers. */
export type PutBinding = Place & {
  method: 'PUT'
  /** The types of the body, for the documents; no type is refused. */
  types: string[]
  bodyText: string
  bodyExample: string
  /** The names of the headers that are part of the input, by its fields. */
  headers: Record<string, string>
  answers: Record<number, SuccessAnswer>
  statusOf(result: unknown): number
  locationOf(result: unknown): string | undefined
}

export type HttpBinding = GetBinding | PostBinding | PutBinding

/** The binding of an operation as a tool for agents. */
export type ToolBinding = {
  /** The name for agents, where the operation’s own name belongs to another interface. */
  name?: string
  /** Groups tools in the catalog. */
  category: 'customers' | 'projects' | 'finance' | 'leads' | 'materials' | 'permits' | 'search'
  /** Arguments of a call that makes sense; a test makes it. */
  example: Record<string, unknown>
  /** The arguments, where they are not the operation’s own input: what it takes must be a value the operation takes. */
  input?: z.ZodObject
  /** The description for a model, where the operation’s own is written for a programmer. */
  description?: string
  /** A write that takes the place of what was there, which clients are told as destructive; other writes only add. */
  replaces?: true
  /**
   * The list of the answer of an operation that takes `skip` and answers `more`: agents get its pages by `pageToken` and `nextPageToken`, as
   * those of every other tool.
   */
  pages?: string
  /** The result is one text and nothing beside it, as programs that know the tool by its name want it. */
  oneText?: true
  /** Fields of the answer that strangers wrote; they leave marked `untrusted` and without control characters. */
  untrusted?: string[]
}

/** Holds everything about one thing the service does; its route, its OpenAPI entry and its metadata line are derived from it. */
type Described<I extends z.ZodObject, O extends z.ZodType> = {
  name: string
  title: string
  description: string
  effect: 'read' | 'write'
  limit?: PolicyName
  input: I
  output: O
  example: z.output<O>
  /** The HTTP binding; absent where no integration calls it: what the portal and the command line do. */
  http?: HttpBinding
  /** The tool; absent where no agent calls it. */
  tool?: ToolBinding
  deprecation?: Deprecation
  /** Receives every request with a valid key and a body that ends in an error, whatever the reason. */
  onRefused?(ctx: Context & { received: Received }, error: ServiceError): Promise<void>
  /** Scopes that depend on the input, such as that of the kind of record an id names. */
  alsoNeeds?(input: z.output<I>): readonly Scope[]
  /**
   * Requires a recent proof, for every input or for some, because the effect outlives the session of whoever causes it: a person must have
   * proven lately that it is them. Keys and the operator are not asked. The change tells the administrators by `told` of its entry in the
   * audit log.
   */
  proof?: 'recent' | { when(ctx: Pick<Context, 'actor' | 'now'>, input: z.output<I>): boolean | Promise<boolean> }
  /** The inputs served under the present settings, where that is not all of them. */
  parameters?(): string[]
}

/** The key under which an operation keeps its function. Only `execute` reads it, so nothing runs unchecked; the architecture test holds that. */
export const RUN = Symbol('run')

/** The scopes that a key needs: one, or every one of several for an answer made of more than one kind of record. */
export type Needs = Scope | readonly [Scope, ...Scope[]]

/**
 * The access to an operation that no key runs: the operator alone, people with a role (and the operator), whoever is signed in, for their
 * own account, or whoever holds the link of an invitation.
 */
const FOR_PEOPLE = ['operator', 'admin', 'developer', 'account', 'invited'] as const
type ForPeople = (typeof FOR_PEOPLE)[number]

type ByKey<I extends z.ZodObject, O extends z.ZodType> = Described<I, O> & { access: Needs | 'any_key' | ForPeople }
type Public<I extends z.ZodObject, O extends z.ZodType> = Described<I, O> & { access: 'public' }

/** An operation, by who may call it: keys with these scopes, any valid key, everyone, or only people. */
export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> =
  | (ByKey<I, O> & { [RUN]: Run<Context, I, O> })
  | (Public<I, O> & { [RUN]: Run<Pick<Context, 'now'>, I, O> })

type Run<C, I extends z.ZodObject, O extends z.ZodType> = (
  ctx: C,
  input: z.output<I>,
) => Promise<z.input<O> | JsonText | Streamed>

/** A context as far as `execute` knows it: it has the actor wherever the operation is not public. */
type AnyContext = Omit<Context, 'actor'> & { actor?: Actor | undefined }

/** An operation of any shape. What it runs with is known to `execute` alone, which has parsed it and found its actor. */
export type AnyOperation = Omit<Described<z.ZodObject, z.ZodType>, 'alsoNeeds' | 'onRefused' | 'proof'> & {
  access: Needs | 'any_key' | ForPeople | 'public'
  alsoNeeds?(input: unknown): readonly Scope[]
  proof?: 'recent' | { when(ctx: Pick<Context, 'actor' | 'now'>, input: unknown): boolean | Promise<boolean> }
  onRefused?(ctx: AnyContext & { received: Received }, error: ServiceError): Promise<void>
  [RUN](ctx: AnyContext, input: unknown): Promise<unknown>
}

/** An operation with a route. */
export type Served<T extends { http?: HttpBinding }> = T & { http: HttpBinding }

export const isServed = <T extends { http?: HttpBinding }>(operation: T): operation is Served<T> =>
  operation.http !== undefined

/** Reports whether only people of the portal and the operator run it, so that it has no route and is no tool. */
export const isForPeople = ({ access }: Pick<AnyOperation, 'access'>): boolean =>
  FOR_PEOPLE.some((whom) => whom === access)

const NO_SCOPES = ['public', 'any_key', ...FOR_PEOPLE] as const

const hasNoScopes = (access: AnyOperation['access']): access is (typeof NO_SCOPES)[number] =>
  NO_SCOPES.some((each) => each === access)

/** The scopes a key needs for an operation, all of them; none where access does not go by scopes. */
export function scopesOf({ access }: Pick<AnyOperation, 'access'>): readonly Scope[] {
  if (hasNoScopes(access)) return []
  return typeof access === 'string' ? [access] : access
}

/**
 * Checks an operation's parts against each other. Two signatures, because a list of scopes, unlike a word, does not tell the
 * compiler which kind of `run` it stands beside.
 */
export function defineOperation<I extends z.ZodObject, O extends z.ZodType>(
  operation: Public<I, O> & { run: Run<Pick<Context, 'now'>, I, O> },
): Operation<I, O>
export function defineOperation<I extends z.ZodObject, O extends z.ZodType>(
  operation: ByKey<I, O> & { run: Run<Context, I, O> },
): Operation<I, O>
export function defineOperation<I extends z.ZodObject, O extends z.ZodType>({
  run,
  ...described
}: (ByKey<I, O> | Public<I, O>) & { run: Run<Context, I, O> }): Operation<I, O> {
  return { ...described, [RUN]: run } as Operation<I, O>
}
