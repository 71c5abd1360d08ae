import { countStep } from './attempts'
import { peopleAuth } from './auth'
import { PASSKEY_REASONS, parsed, requireOwnSite, UsedAnswer } from './passkey-answer'
import { letIn, writeRefusal } from './sign-in'
import { callSignIn, cookiesOf, headersOf, type LeavesCookies, type Visitor } from './visitor'

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
