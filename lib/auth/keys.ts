import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 40
const CHECKSUM_LENGTH = 6
const SHAPE = /^plb_(live|test)_([0-9A-Za-z]{46})$/

export type KeyMode = 'live' | 'test'

/** Returns 40 base62 characters from the system's random source, each equally likely: 238 bits. */
function randomSecret(): string {
  let secret = ''
  while (secret.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH * 2)) {
      // 248 is the largest multiple of 62 in a byte; using larger values would favor the first characters.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % 62]
    }
  }
  return secret
}

/** Returns the CRC-32 of the text before it, in base62. It detects a mistyped key without a database lookup. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Returns a new key: `plb_live_<40 base62><6 base62 CRC32>`, or `plb_test_…` for a demonstration contractor. */
export function newKeyText(mode: KeyMode): string {
  const body = `plb_${mode}_${randomSecret()}`
  return body + checksum(body)
}

/** Reports whether a text has a key's format and checksum; others are refused without a database lookup. */
export function isKeyShaped(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** Returns what is stored for a key: its SHA-256 in hex. The key has 238 random bits, so a slow hash would add nothing. */
export function hashKey(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Returns the last four characters, which help people tell keys apart. */
export const last4 = (text: string): string => text.slice(-4)

/** Reports whether a text was meant as a key, also one that was mistyped. */
export const isMeantAsKey = (text: string): boolean => /^plb_/i.test(text)

const TOKEN_SHAPE = /^eyJ[\w-]{10,500}\.eyJ[\w-]{20,4000}\.[\w-]{40,800}$/

/** Reports whether a text can be one of our access tokens, a signed JWT; anything else is refused without a look at keys or the database. */
export const isTokenShaped = (text: string): boolean => TOKEN_SHAPE.test(text)
