import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A key for one purpose, from a secret of the settings (RFC 5869). */
const keyFor = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `plumbline ${purpose}`, 32))

/** Encrypts a text that must be read again (AES-256-GCM), so that the database alone does not give it away. */
export function seal(secret: string, purpose: string, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, purpose), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/**
 * Decrypts what {@link seal} made.
 * @param secrets the current secret first, then the previous one while secrets rotate
 * @returns undefined when none of them sealed it
 */
export function unseal(secrets: readonly (string | undefined)[], purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  for (const secret of secrets) {
    if (secret === undefined) continue
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, purpose), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    } catch {
      // Sealed with another secret, or damaged.
    }
  }
  return undefined
}
