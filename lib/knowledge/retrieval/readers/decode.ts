import { DocumentProblem } from './blocks'

const BOMS: [label: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const bomOf = (bytes: Uint8Array) => BOMS.find(([, bom]) => bom.every((byte, i) => bytes[i] === byte))?.[0]

/** A page declares its encoding within its first 1,024 bytes (HTML standard, 4.2.5.4). */
const META = /<meta[^<>]*/gi
const CHARSET = /charset\s*=[\s"']*([\w:.-]{1,40})/i

/**
 * Returns the encoding a page declares. UTF-16 counts as UTF-8: the declaration was readable as ASCII, so the page cannot be
 * UTF-16.
 */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const tags = Buffer.from(bytes.subarray(0, 1024)).toString('latin1').match(META) ?? []
  const label = tags.map((tag) => CHARSET.exec(tag)?.[1]).find(Boolean)
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    throw new DocumentProblem(`declares the encoding ${label}, which nobody knows; save it as UTF-8`)
  }
}

/**
 * Decodes a file by its byte order mark, else as `declared`, else as UTF-8.
 * @throws DocumentProblem when the bytes are not valid text in that encoding
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const label = bomOf(bytes) ?? declared ?? 'utf-8'
  const decoder = decoderFor(label)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new DocumentProblem(`is not text in ${label.toUpperCase()}; save it as UTF-8`)
  }
  if (text.includes('\0'))
    throw new DocumentProblem('is not text, or UTF-16 without a byte order mark; save it as UTF-8')
  return text
}
