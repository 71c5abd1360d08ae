import * as z from 'zod'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { parseStrictValue } from '@/lib/core/json'
import { NOT_VERIFIED, passkeySite } from './sign-in-settings'

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
export const MadeAnswer = z.object({
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
