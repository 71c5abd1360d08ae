import type { z } from 'zod'
import type { Actor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'
import type { PolicyName } from '@/lib/limits/policies'

/** What an operation runs in: on whose behalf, and the moment taken as now. */
export type Context = { actor: Actor; now: Date }

/** JSON text that is already exactly what may leave, such as a list the database wrote from a resource's named columns. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** An announced end (RFC 9745, RFC 8594): `since` when it was deprecated, `sunset` when it stops, `link` where it is explained. */
export type Deprecation = { since: Date; sunset?: Date; link?: string }

/** Where an operation is served: under `/api/v1` (root-relative on the data API's host), or at the root of every host. */
export type HttpBinding = { method: 'GET'; path: `/${string}`; at: 'data' | 'root' }

/** Everything about one thing the service does; its route, its OpenAPI entry and its metadata line are derived from it. */
type Described<I extends z.ZodObject, O extends z.ZodType> = {
  name: string
  title: string
  description: string
  effect: 'read' | 'write'
  limit?: PolicyName
  input: I
  output: O
  example: z.output<O>
  http: HttpBinding
  deprecation?: Deprecation
  /** The inputs served under the present settings, where that is not all of them. */
  parameters?(): string[]
}

/** Who may call it comes first: a scope, any valid key, or everyone. */
export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> =
  | ({ access: Scope | 'any_key'; run: Run<Context, I, O> } & Described<I, O>)
  | ({ access: 'public'; run: Run<Pick<Context, 'now'>, I, O> } & Described<I, O>)

type Run<C, I extends z.ZodObject, O extends z.ZodType> = (ctx: C, input: z.output<I>) => Promise<z.input<O> | JsonText>

/** An operation of any shape: it can be described, but `run` takes nothing, so nothing is run through it unparsed. */
export type AnyOperation = Described<z.ZodObject, z.ZodType> & {
  access: Scope | 'any_key' | 'public'
  run(ctx: Context, input: never): Promise<unknown>
}

/** Checks an operation's parts against each other. */
export function defineOperation<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation
}
