import { database } from '@/db/client'
import type { PersonActor } from '../actor'
import { audit } from '../audit'
import { countOwn } from './attempts'
import { peopleAuth } from './auth'
import { MadeAnswer, PASSKEY_REASONS, parsed, requireOwnSite } from './passkey-answer'
import { callSignIn, cookiesOf, headersOf, type Visitor } from './visitor'

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
