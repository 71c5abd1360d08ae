import { createHmac, timingSafeEqual } from 'node:crypto'
import { patiently } from '@/db/client'
import { findSourceSecret } from '@/db/queries/leads'
import { hashKey } from '@/lib/auth/keys'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { seal, unseal } from '@/lib/core/seal'
import type { LeadSource } from './sources/define'

const PURPOSE = 'lead source secrets'

/** Returns a secret that a sender signs with as it is stored. @throws ServiceError `bad_request` on a server that can keep none */
export function sealSecret(text: string): string {
  const [secret] = env().tokenSecrets
  if (secret !== undefined) return seal(secret, PURPOSE, text)
  throw new ServiceError(
    'bad_request',
    'This server cannot keep the secret: it has no EXTERNAL_API_TOKEN_SECRET, which protects it. Ask its operator to set one.',
  )
}

/** Compares texts in a time that does not depend on where they differ. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Reports whether a sender's secret is the one whose hash is stored. */
export const isSecret = (given: string | null | undefined, hash: string | null): boolean =>
  given != null && hash !== null && isSame(hashKey(given), hash)

type Signed = { raw: Uint8Array; header(name: string): string | null }

/**
 * Checks the signature of a body where a secret is set for its source. The signature is over the bytes as they were sent.
 * @throws ServiceError `unauthorized` when it is missing or wrong; Error when the stored secret cannot be read any more, so that the
 *   sender tries again
 */
export async function requireSignature(
  contractorId: string,
  source: LeadSource,
  { raw, header }: Signed,
): Promise<void> {
  const { signature, name, title } = source
  if (!signature) return
  const stored = await patiently((orm) => findSourceSecret(orm, contractorId, name))
  if (!stored?.sealed) return
  const secret = unseal(env().tokenSecrets, PURPOSE, stored.sealed)
  if (secret === undefined)
    throw new Error(`the secret of ${name} was sealed with another EXTERNAL_API_TOKEN_SECRET; set it again`)
  const given = header(signature.header)
  const wanted = `sha256=${createHmac('sha256', secret).update(raw).digest(signature.encoding)}`
  if (given !== null && isSame(given, wanted)) return
  const fault = given === null ? 'is missing' : 'does not fit the body and the secret that is set for this source'
  throw new ServiceError(
    'unauthorized',
    `${signature.header}: ${fault}. Set the same secret at ${title} and under Leads, Sender passwords, or remove it there.`,
  )
}

/** Checks the word that Meta repeats when it verifies an address. @throws ServiceError `forbidden` when another one is set */
export async function requireVerifyToken(contractorId: string, source: string, given: string | null): Promise<void> {
  const stored = await patiently((orm) => findSourceSecret(orm, contractorId, source))
  if (!stored?.secretHash || isSecret(given, stored.secretHash)) return
  throw new ServiceError(
    'forbidden',
    'hub.verify_token is not the one that was shown when the secret of this source was set. Enter that one, or set the secret again.',
  )
}
