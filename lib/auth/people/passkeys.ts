import { database } from '@/db/client'
import { type Passkey, passkeysOf, removePasskey, renamePasskey } from '@/db/queries/passkeys'
import { ServiceError } from '@/lib/core/errors'
import type { PersonActor } from '../actor'
import { audit } from '../audit'
import { countOwn } from './attempts'
import { peopleAuth } from './auth'
import { MadeAnswer, PASSKEY_REASONS, parsed, requireOwnSite } from './passkey-answer'
import { asking, cookiesOf, headersOf, type Visitor } from './visitor'

const LONGEST_NAME = 60
const nameOf = (name: string): string => {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > LONGEST_NAME)
    throw new ServiceError('bad_request', `A name has 1 to ${LONGEST_NAME} characters.`)
  return trimmed
}

/** The passkeys of whoever is signed in, oldest first. */
export async function listPasskeys(personId: string): Promise<Passkey[]> {
  return await passkeysOf((await database()).orm, personId)
}

/**
 * Begins a new passkey: what the browser is to ask the device for. Who holds only an open session gets no lasting way in, so it
 * takes the password.
 * @throws ServiceError `bad_request` for a wrong password or an unfit name, `rate_limited`
 */
export async function beginPasskey(visitor: Visitor, by: PersonActor, given: { name: string; password: string }) {
  nameOf(given.name)
  await countOwn(by)
  const auth = await peopleAuth()
  const headers = headersOf(visitor)
  const { password } = given
  await asking(() => auth.api.verifyPassword({ body: { password }, headers }), {}, 'The password is not right.')
  const begun = await auth.api.generatePasskeyRegistrationOptions({ headers, returnHeaders: true })
  return { ...cookiesOf(begun.headers), options: begun.response }
}

/**
 * Keeps the passkey that {@link beginPasskey} asked for.
 * @param answer the browser's, as JSON text
 * @throws ServiceError `bad_request` when it is not that one, came too late or from another site
 */
export async function addPasskey(visitor: Visitor, by: PersonActor, given: { name: string; answer: string }) {
  const name = nameOf(given.name)
  const response = parsed(MadeAnswer, given.answer)
  requireOwnSite(response.response.clientDataJSON)
  const auth = await peopleAuth()
  await asking(
    () => auth.api.verifyPasskeyRegistration({ body: { response, name }, headers: headersOf(visitor) }),
    PASSKEY_REASONS,
    'This passkey could not be kept. Try again; if it stays so, use another device.',
  )
  const { orm } = await database()
  await audit(orm, by, { event: 'passkey_added', subject: name, contractorId: null })
}

const GONE = 'This passkey is not there any more.'

/** Names one of one's own passkeys anew. @throws ServiceError `not_found`, `bad_request` for an unfit name */
export async function namePasskey(by: PersonActor, id: string, name: string): Promise<void> {
  const wanted = nameOf(name)
  await (await database()).orm.transaction(async (tx) => {
    if (!(await renamePasskey(tx, by.personId, id, wanted))) throw new ServiceError('not_found', GONE)
    await audit(tx, by, { event: 'passkey_renamed', subject: wanted, contractorId: null })
  })
}

/** Removes one of one's own passkeys: it signs nobody in from now on. @throws ServiceError `not_found` */
export async function endPasskey(by: PersonActor, id: string): Promise<void> {
  await (await database()).orm.transaction(async (tx) => {
    const name = await removePasskey(tx, by.personId, id)
    if (name === undefined) throw new ServiceError('not_found', GONE)
    await audit(tx, by, { event: 'passkey_removed', subject: name, contractorId: null })
  })
}
