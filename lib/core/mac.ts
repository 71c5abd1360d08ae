import { hash, timingSafeEqual } from 'node:crypto'
import { part } from '@/lib/runtime/runtime'

/** SHA-256's block and digest, in bytes. */
const BLOCK = 64
const DIGEST = 32

/** What is hashed with a secret: its inner key before a text, its outer key before a digest. */
type Keyed = { inner: Buffer; outer: Buffer }

/** Longer than what tokens sign; a longer text gets a buffer of its own. */
const ROOM = 4_096

const known = part('macs', () => new Map())

function keyedBy(secret: string): Keyed {
  const bytes = Buffer.from(secret)
  const key = bytes.length > BLOCK ? hash('sha256', bytes, 'buffer') : bytes
  const inner = Buffer.alloc(BLOCK + ROOM, 0x36)
  const outer = Buffer.alloc(BLOCK + DIGEST, 0x5c)
  for (const [i, byte] of key.entries()) {
    inner[i] = 0x36 ^ byte
    outer[i] = 0x5c ^ byte
  }
  return { inner, outer }
}

/** The key's texts are hashed in its own buffer where they fit, so that nothing is copied twice. */
function textBehind(key: Buffer, text: string): Buffer {
  const length = Buffer.byteLength(text)
  const whole = length > ROOM ? Buffer.concat([key.subarray(0, BLOCK), Buffer.alloc(length)]) : key
  whole.write(text, BLOCK)
  return whole.subarray(0, BLOCK + length)
}

/**
 * The HMAC-SHA-256 (RFC 2104) of a text in UTF-8, as base64url. Node's `createHmac` asks OpenSSL for the algorithm each time, which takes
 * longer than both hashes, and every page of a list has a token. For the service's own few secrets: each is kept.
 */
export function macOf(secret: string, text: string): string {
  let keyed = known().get(secret)
  if (!keyed) {
    keyed = keyedBy(secret)
    known().set(secret, keyed)
  }
  hash('sha256', textBehind(keyed.inner, text), 'buffer').copy(keyed.outer, BLOCK)
  return hash('sha256', keyed.outer, 'base64url')
}

/** Whether this is a text's {@link macOf}. Compares characters, because several spellings of base64url are the same bytes and only ours is accepted. */
export function isMac(given: string, secret: string, text: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(macOf(secret, text))]
  return a.length === b.length && timingSafeEqual(a, b)
}
