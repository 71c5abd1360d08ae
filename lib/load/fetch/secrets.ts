import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { seal, unseal } from '@/lib/core/seal'

const PURPOSE = 'source secrets'

/** The secrets that a source signs in with, or that sign for it. */
export type SourceSecret = { password?: string; privateKey?: string; passphrase?: string; signingKey?: string }

const NAMES = ['password', 'privateKey', 'passphrase', 'signingKey'] as const

/** Returns the secret of a source as it is stored. @throws ServiceError `bad_request` on a server that can keep none */
export function sealSourceSecret(given: SourceSecret): string {
  const [secret] = env().tokenSecrets
  if (secret !== undefined) return seal(secret, PURPOSE, JSON.stringify(given))
  throw new ServiceError(
    'bad_request',
    'This server cannot keep the secret: it has no EXTERNAL_API_TOKEN_SECRET, which protects it. Ask its operator to set one.',
  )
}

/** The secret of a source; undefined when it was sealed with another EXTERNAL_API_TOKEN_SECRET. */
export function unsealSourceSecret(sealed: string): SourceSecret | undefined {
  const text = unseal(env().tokenSecrets, PURPOSE, sealed)
  if (text === undefined) return undefined
  const parsed: unknown = JSON.parse(text)
  const found: SourceSecret = {}
  for (const name of NAMES) {
    const value: unknown = Reflect.get(Object(parsed), name)
    if (typeof value === 'string') found[name] = value
  }
  return found
}
