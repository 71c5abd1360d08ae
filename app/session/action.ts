import { faultsOf, sentenceOf } from '@/lib/core/faults'
import 'server-only'
import { headers } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import * as z from 'zod'
import type { PersonActor } from '@/lib/auth/actor'
import { waysToConfirm } from '@/lib/auth/people/confirm'
import { ProofNeeded } from '@/lib/auth/require'
import { env } from '@/lib/core/env'
import { isOurs, ServiceError, toServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { isOwnOrigin } from '@/lib/http/origin'
import type { FormResult, Proving, Sent } from '@/lib/portal/form-result'
import { actorFor, currentSession, here, isSessionOver, requireSignedIn, sessionOver } from './actor'

/**
 * Rejects a form submitted from another site (CSRF). Browsers send the origin of every POST; it must be this host, and the portal's
 * host where one is configured.
 */
export async function requireOwnOrigin(): Promise<void> {
  const sent = await headers()
  if (!isOwnOrigin(sent.get('origin'), sent.get('host'), env()))
    throw new ServiceError('forbidden', 'This form was sent from another site. Open the portal and try again there.')
}

/** Fields that are never sent back to the browser. */
const SECRET = /password|passphrase|code|secret|privateKey|signingKey/i

/**
 * Returns the values of a refused form, to show them again. With script, the browser keeps the values and sends the action in a header;
 * without script, the page is rendered again.
 */
async function sentIn(form: FormData): Promise<Sent | undefined> {
  if ((await headers()).has('next-action')) return undefined
  const texts = Object.entries(valuesOf(form)).filter(([name]) => !SECRET.test(name))
  return Object.fromEntries(texts)
}

/** Returns how the person who sent a form confirms their identity. */
async function howToConfirm(): Promise<Proving> {
  const { person } = await requireSignedIn()
  return { ...(await waysToConfirm(person)), page: `/confirm?next=${encodeURIComponent(await here())}` }
}

/** Returns what is wrong as people read it: without the name of the field, which only programs know. */
function wordsOf({ message, fields }: ServiceError): string {
  const [first, second] = fields ?? []
  if (second) return 'Some fields need to be fixed.'
  if (!first || message !== `${first.field}: ${first.message}`) return message
  return `${first.message.replace(/^./, (start) => start.toUpperCase())}.`
}

async function failureOf(thrown: unknown, form: FormData): Promise<FormResult<never>> {
  const error = toServiceError(thrown)
  const requestId = newRequestId()
  if (isOurs(error)) logFault({ requestId, operation: 'form' }, error.cause ?? error)
  const sent = await sentIn(form)
  return {
    ok: false,
    error: wordsOf(error),
    ...(error.fields && { fields: error.fields }),
    ...(isOurs(error) && { requestId }),
    ...(isSessionOver(error) && { next: 'sign-in' as const }),
    ...(error instanceof ProofNeeded && { proving: await howToConfirm() }),
    ...(sent && { sent }),
  }
}

/** Returns a form's fields by name. A repeated field becomes a list; files are left out. */
function valuesOf(form: FormData): Sent {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith('$ACTION'))
  return Object.fromEntries(
    names.map((name) => {
      const all = form.getAll(name).filter((value) => typeof value === 'string')
      return [name, name.endsWith('[]') || all.length > 1 ? all : (all[0] ?? [])]
    }),
  )
}

function parse<S extends z.ZodType>(schema: S, form: FormData): z.output<S> {
  const parsed = schema.safeParse(valuesOf(form), { error: sentenceOf })
  if (parsed.success) return parsed.data
  throw new ServiceError('bad_request', 'Some fields need to be fixed.', { fields: faultsOf(parsed.error, '') })
}

/**
 * Wraps a change that needs no role, such as signing in or editing one's own account. Checks the origin, then the fields, then
 * calls `run`. A thrown error becomes the form's result.
 */
export function formAction<S extends z.ZodType, T>(schema: S, run: (input: z.output<S>) => Promise<FormResult<T>>) {
  return async (_: FormResult<T>, form: FormData): Promise<FormResult<T>> => {
    try {
      await requireOwnOrigin()
      return await run(parse(schema, form))
    } catch (thrown) {
      unstable_rethrow(thrown)
      return await failureOf(thrown, form)
    }
  }
}

const ForContractor = z.object({ contractorId: z.string() })

/**
 * Returns the sender of a form as an actor for the contractor that the form names. Another window may have switched the current
 * contractor in the meantime.
 * @throws ServiceError `unauthorized` when the session has ended, `forbidden` when the person is not a member of that contractor
 */
export async function formActor(contractorId: string): Promise<PersonActor> {
  const session = await currentSession()
  if (!session) throw sessionOver()
  const membership = session.memberships.find((each) => each.contractorId === contractorId)
  if (!membership) throw new ServiceError('forbidden', 'You are not on this contractor’s team.')
  return actorFor(session, membership)
}

/**
 * Wraps a change for a contractor; the form contains `contractorId`. Checks the origin, the session and the fields, then calls
 * `run`, whose operation checks the role. `run` gets the form as well, for its files.
 */
export function contractorAction<S extends z.ZodType, T>(
  schema: S,
  run: (actor: PersonActor, input: z.output<S>, form: FormData) => Promise<FormResult<T>>,
) {
  return async (_: FormResult<T>, form: FormData): Promise<FormResult<T>> => {
    try {
      await requireOwnOrigin()
      const { contractorId } = parse(ForContractor, form)
      const actor = await formActor(contractorId)
      form.delete('contractorId')
      return await run(actor, parse(schema, form), form)
    } catch (thrown) {
      unstable_rethrow(thrown)
      return await failureOf(thrown, form)
    }
  }
}
