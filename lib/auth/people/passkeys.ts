import * as z from 'zod'
import { database } from '@/db/client'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { parseStrictValue } from '@/lib/core/json'
import type { PersonActor } from '../actor'
import { audit } from '../audit'
import { countOwn, countStep } from './attempts'
import { peopleAuth } from './auth'
import { letIn, writeRefusal } from './sign-in'
import { NOT_VERIFIED, passkeySite } from './sign-in-settings'
import { callSignIn, cookiesOf, headersOf, type LeavesCookies, type Visitor } from './visitor'

const base64url = z
  .string()
  .max(16_384)
  .regex(/^[\w-]*$/)
const common = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).transform(() => ({})),
}
/** A browser's response as `toJSON` writes it (WebAuthn, 5.1). The id identifies the passkey's owner; we use no extensions. */
const MadeAnswer = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[\w-]{1,20}$/))
      .max(10)
      .optional(),
  }),
})
export const UsedAnswer = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
})

const ClientData = z.object({ origin: z.string() })

/** Parses a browser's response. @throws ServiceError `bad_request` when no browser would send it */
export function parsed<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  try {
    return schema.parse(parseStrictValue(text))
  } catch (cause) {
    throw new ServiceError('bad_request', 'The browser’s answer could not be read. Reload the page and try again.', {
      cause,
    })
  }
}

/**
 * Explains that the page is open at another address than the configured one, which the library rejects without a reason.
 * @throws ServiceError `bad_request`
 */
export function requireOwnSite(clientDataJSON: string): void {
  const { origin } = parsed(ClientData, Buffer.from(clientDataJSON, 'base64url').toString())
  const site = passkeySite(env())
  if (origin !== site.origin)
    throw new ServiceError('bad_request', `Passkeys work at ${site.origin} only. Open the portal there and try again.`)
}

/** The reasons why the library rejected a passkey, by its error codes. */
export const PASSKEY_REASONS = {
  CHALLENGE_NOT_FOUND: 'This took too long, or was sent twice. Try again.',
  [NOT_VERIFIED]:
    'The device did not check that it is you. Set up a PIN, a fingerprint or face recognition on it, and try again.',
}

/** Starts a sign-in with any passkey; the response identifies its owner. @throws ServiceError `rate_limited` */
export async function beginPasskeySignIn(visitor: Visitor) {
  await countStep(visitor, 'passkey begun')
  const auth = await peopleAuth()
  const { headers, response } = await auth.api.generatePasskeyAuthenticationOptions({
    headers: headersOf({ ...visitor, cookie: '' }),
    returnHeaders: true,
  })
  return { ...cookiesOf(headers), options: { ...response, userVerification: 'required' as const } }
}

/**
 * Signs in with a passkey. It is something you have, unlocked by something you know or are, so no second step follows (NIST SP
 * 800-63B-4, 3.1.7).
 * @param answer the browser's response, as JSON text
 * @throws ServiceError `bad_request` when the passkey is unknown or the response is invalid, `rate_limited` after too many attempts
 */
export async function signInWithPasskey(visitor: Visitor, answer: string): Promise<LeavesCookies> {
  const response = parsed(UsedAnswer, answer)
  await countStep(visitor, 'passkey')
  try {
    requireOwnSite(response.response.clientDataJSON)
    const auth = await peopleAuth()
    const { headers, response: entered } = await callSignIn(
      () =>
        auth.api.verifyPasskeyAuthentication({ body: { response }, headers: headersOf(visitor), returnHeaders: true }),
      PASSKEY_REASONS,
      'This passkey is not known here; it may have been removed. Sign in with your password.',
    )
    return await letIn(visitor, entered.user.email, 'passkey', headers)
  } catch (error) {
    await writeRefusal(error, visitor, 'passkey', 'passkey')
    throw error
  }
}

/**
 * Starts adding a passkey: returns the options for the browser. Requires the password, so that someone with only an open session
 * cannot gain permanent access.
 * @throws ServiceError `bad_request` for a wrong password, `rate_limited`
 */
export async function beginPasskey(visitor: Visitor, by: PersonActor, { password }: { password: string }) {
  await countOwn(by)
  const auth = await peopleAuth()
  const headers = headersOf(visitor)
  await callSignIn(() => auth.api.verifyPassword({ body: { password }, headers }), {}, 'The password is not right.')
  const begun = await auth.api.generatePasskeyRegistrationOptions({ headers, returnHeaders: true })
  return { ...cookiesOf(begun.headers), options: begun.response }
}

/**
 * Stores the passkey that {@link beginPasskey} requested.
 * @param answer the browser's response, as JSON text
 * @throws ServiceError `bad_request` when it is not that passkey, is too late or comes from another site
 */
export async function addPasskey(
  visitor: Visitor,
  by: PersonActor,
  { name, answer }: { name: string; answer: string },
) {
  const response = parsed(MadeAnswer, answer)
  requireOwnSite(response.response.clientDataJSON)
  const auth = await peopleAuth()
  await callSignIn(
    () => auth.api.verifyPasskeyRegistration({ body: { response, name }, headers: headersOf(visitor) }),
    PASSKEY_REASONS,
    'This passkey could not be kept. Try again; if it stays so, use another device.',
  )
  const { orm } = await database()
  await audit(orm, by, { event: 'passkey_added', subject: name, contractorId: null, told: name })
}
