/** A browser's way to passkeys. Everything crosses between here and the server as JSON (WebAuthn 3, 5.1.8 to 5.1.10). */

const TOO_OLD =
  'This browser has no passkeys here. They need a browser of 2025 or later, and an address with https (or localhost). Use your password.'

/** Why a device or browser would not, by the name of what it threw; `site` is the host name passkeys are kept for. */
export function wordsOfPasskeyFault(thrown: unknown, site: string | undefined): string {
  const name = thrown instanceof Error ? thrown.name : ''
  switch (name) {
    case 'NotAllowedError':
      return 'It was cancelled or took too long. Nothing was changed; try again when you are ready.'
    case 'InvalidStateError':
      return 'This device holds a passkey of your account already. It is in the list.'
    case 'SecurityError':
      return `This page is open at an address that has no passkeys. They work at ${site ?? 'the portal’s own address'} only; open the portal there.`
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'This device cannot hold a passkey. It needs a screen lock: a PIN, a fingerprint or face recognition.'
    default:
      return 'The browser could not use a passkey. Reload the page and try again, or use your password.'
  }
}

/** Thrown with words to show as they are. */
export class PasskeyFault extends Error {
  override name = 'PasskeyFault'
}

const isAble = () =>
  typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

async function answerOf(ask: () => Promise<Credential | null>, site: string | undefined): Promise<string> {
  if (!isAble()) throw new PasskeyFault(TOO_OLD)
  try {
    return JSON.stringify(await ask())
  } catch (thrown) {
    throw new PasskeyFault(wordsOfPasskeyFault(thrown, site), { cause: thrown })
  }
}

/** Has a device make a passkey. @returns its answer as JSON text @throws PasskeyFault */
export const makePasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<string> =>
  answerOf(
    () => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
    options.rp.id,
  )

/** Has a person choose a passkey of theirs, and its device check that it is them. @returns its answer as JSON text @throws PasskeyFault */
export const askPasskey = (
  options: PublicKeyCredentialRequestOptionsJSON,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<string> =>
  answerOf(
    () => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options), ...how }),
    options.rpId,
  )

/** Whether the browser offers passkeys among what it fills into a field. */
export const fillsInPasskeys = async (): Promise<boolean> =>
  isAble() && (await PublicKeyCredential.isConditionalMediationAvailable().catch(() => false))
