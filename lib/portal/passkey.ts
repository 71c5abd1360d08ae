/** Passkeys in the browser. Data travels between the browser and the server as JSON (WebAuthn 3, 5.1.8 to 5.1.10). */

const TOO_OLD =
  'This browser cannot use passkeys here. They need a browser from 2025 or later, and an https address (or localhost). Use your password.'

/** Explains why a device or browser refused a passkey, by the name of its error; `site` is the host name of the passkeys. */
export function explainPasskeyError(thrown: unknown, site: string | undefined): string {
  const name = thrown instanceof Error ? thrown.name : ''
  switch (name) {
    case 'NotAllowedError':
      return 'It was canceled or took too long. Nothing was changed; try again when you are ready.'
    case 'InvalidStateError':
      return 'This device already has a passkey for your account. It is in the list.'
    case 'SecurityError':
      return `Passkeys do not work at this address. They work at ${site ?? 'the portal’s own address'} only; open the portal there.`
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'This device cannot store a passkey. It needs a screen lock: a PIN, a fingerprint or face recognition.'
    default:
      return 'The browser could not use a passkey. Reload the page and try again, or use your password.'
  }
}

/** An error whose message is shown as it is. */
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
    throw new PasskeyFault(explainPasskeyError(thrown, site), { cause: thrown })
  }
}

/** Lets a device create a passkey. @returns its response as JSON text @throws PasskeyFault */
export const createPasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<string> =>
  answerOf(
    () => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
    options.rp.id,
  )

/** Lets a person choose a passkey and verify on its device. @returns the device's response as JSON text @throws PasskeyFault */
export const promptForPasskey = (
  options: PublicKeyCredentialRequestOptionsJSON,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<string> =>
  answerOf(
    () => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options), ...how }),
    options.rpId,
  )

/** Reports whether the browser offers passkeys in autofill. */
export const autofillsPasskeys = async (): Promise<boolean> =>
  isAble() && (await PublicKeyCredential.isConditionalMediationAvailable().catch(() => false))
