import { isAscii, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** The encoding of a text file. Windows-1252 is what is left when the bytes are no UTF-8. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The characters of the bytes 0x80 to 0x9f, as the WHATWG Encoding standard's index of windows-1252 has them; five are control characters. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const asWindows = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\x9f]/g, (byte) => HIGH[byte.charCodeAt(0) - 0x80] ?? byte)

/** Bytes that are a character of several bytes in UTF-8: those of text in another encoding hardly ever are. */
const SEVERAL_BYTES = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/

/** Returns how many bytes a UTF-8 character has that begins with a byte; 0 for one that goes on. */
function lengthFrom(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xc0) return 0
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

/** Returns how many bytes at the end begin a UTF-8 character that they do not end. */
function unended(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const length = lengthFrom(bytes[bytes.length - back] ?? 0)
    if (length > 0) return length > back ? back : 0
  }
  return 0
}

/** Returns the encoding that the first bytes of a file show: by their byte order mark, or because every second one is zero. */
function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, 512)
  const zeros = [0, 0]
  for (const [i, byte] of head.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = head.length / 8
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : 'utf-8'
}

/**
 * Decodes a file's bytes as they arrive. Bytes that are no UTF-8 make the rest of the file Windows-1252, unless the file had other
 * characters in UTF-8 before: then it mixes encodings, and what is damaged arrives as U+FFFD, which no column takes.
 */
export class Decoder {
  encoding: Encoding | undefined
  private sawUtf8 = false
  private held = Buffer.alloc(0)
  private wide = new StringDecoder('utf16le')

  write(bytes: Buffer): string {
    const isFirst = this.encoding === undefined
    this.encoding ??= encodingOf(bytes)
    const text = this.decode(bytes, false)
    return isFirst ? text.replace(/^\ufeff/, '') : text
  }

  end(): string {
    return this.encoding?.startsWith('utf-16') ? this.wide.end() : this.decode(Buffer.alloc(0), true)
  }

  private decode(more: Buffer, isEnd: boolean): string {
    if (this.encoding === 'utf-16le') return this.wide.write(more)
    if (this.encoding === 'windows-1252') return asWindows(more)
    const bytes = this.held.length > 0 ? Buffer.concat([this.held, more]) : more
    if (this.encoding === 'utf-16be') {
      const even = bytes.subarray(0, bytes.length - (bytes.length % 2))
      this.held = Buffer.from(bytes.subarray(even.length))
      return this.wide.write(Buffer.from(even).swap16())
    }
    const whole = bytes.subarray(0, bytes.length - (isEnd ? 0 : unended(bytes)))
    this.held = Buffer.from(bytes.subarray(whole.length))
    if (isAscii(whole)) return whole.toString('latin1')
    const isUtf8Text = isUtf8(whole)
    if (!isUtf8Text && !this.sawUtf8 && !SEVERAL_BYTES.test(whole.toString('latin1'))) {
      this.encoding = 'windows-1252'
      this.held = Buffer.alloc(0)
      return asWindows(bytes)
    }
    this.sawUtf8 = true
    return whole.toString('utf8')
  }
}

/** Reads a file's text in chunks. The decoder tells afterwards which encoding it was. */
export async function* textOf(path: string, decoder = new Decoder()): AsyncGenerator<string> {
  for await (const chunk of createReadStream(path)) yield decoder.write(chunk)
  yield decoder.end()
}
