import { createHash } from 'node:crypto'

const plainText = (text: string) => text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')

/**
 * The id of what a file gives none for: the first 20 hexadecimal digits of the SHA-256 of its kind and what tells it apart, without case
 * and repeated spaces. The same words in the next file are the same record; other words are another one.
 */
export const fingerprint = (kind: string, ...parts: string[]): string =>
  `${kind}-${createHash('sha256')
    .update(JSON.stringify([kind, ...parts.map(plainText)]))
    .digest('hex')
    .slice(0, 20)}`
