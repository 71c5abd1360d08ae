import 'server-only'
import type * as z from 'zod'
import { parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { ServiceError } from '@/lib/core/errors'
import type { Context, Operation } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'

/** What the page of a report needs: who reads, by which desk, and the parameters that are set. Those who may not read it get 403. */
export async function openReport(
  operation: Parameters<typeof requireActor>[0],
  searchParams: SearchParams,
  names: readonly string[],
) {
  const { actor, current } = await requireActor(operation)
  const [at, given] = await Promise.all([desk(), parametersOf(searchParams, names)])
  return { contractor: current.name, at, given, ctx: { actor, now: at.now } }
}

/** Why a report cannot be made of what was asked: a sentence for each parameter. */
export type Faults = Record<string, string>

/** Runs a report; what is wrong with its parameters is an answer of its own. */
export async function readReport<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  ctx: Context,
  input: z.input<I>,
): Promise<{ report: z.output<O>; faults?: undefined } | { report?: undefined; faults: Faults }> {
  try {
    return { report: await execute(operation, ctx, input) }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'bad_request') throw error
    const faults = (error.fields ?? []).map(({ field, message }) => [field, message])
    return { faults: faults.length > 0 ? Object.fromEntries(faults) : { '': error.message } }
  }
}

/** Nothing, for what a report beside the main one refuses, whose parameters the main one names. */
export function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'bad_request') throw error
}
