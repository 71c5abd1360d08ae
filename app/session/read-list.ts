import 'server-only'
import type * as z from 'zod'
import type { PersonActor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import type { Operation } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { parametersOf, type SearchParams } from '../query'
import { desk } from './desk'

type Spec = {
  /** The parameters of the page’s address; those of the operation where they are left out, but for the number of rows. */
  parameters?: readonly string[]
  /** Returns the operation’s input, which it checks; the parameters themselves where it is left out. */
  inputOf?: (given: Record<string, string>) => Record<string, unknown>
}

/** What a list found, or why it cannot be asked so; and the parameters that were given. */
export type ReadList<Found> = {
  given: Record<string, string>
  found: Found | undefined
  error: ServiceError | undefined
  /** Says what is wrong with a parameter. */
  fault: (parameter: string) => string | undefined
}

/** Runs the operation of a list for the parameters of a page’s address. Those that it refuses are told, for the page to show. */
export async function readList<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  actor: PersonActor,
  searchParams: SearchParams,
  { parameters = Object.keys(operation.input.shape).filter((name) => name !== 'limit'), inputOf }: Spec = {},
): Promise<ReadList<z.output<O>>> {
  const [{ now }, given] = await Promise.all([desk(), parametersOf(searchParams, parameters)])
  try {
    const found = await execute(operation, { actor, now }, (inputOf?.(given) ?? given) as z.input<I>)
    return { given, found, error: undefined, fault: () => undefined }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'bad_request') throw error
    const fault = (parameter: string) => error.fields?.find(({ field }) => field === parameter)?.message
    return { given, found: undefined, error, fault }
  }
}
