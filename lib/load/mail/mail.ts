import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import busboy from 'busboy'
import { ServiceError } from '@/lib/core/errors'
import { MAIL } from '@/lib/core/uploads'

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const MARKS = new Set([...'{[,:'].map((mark) => mark.charCodeAt(0)))

/**
 * Counts the marks of a JSON text outside of its strings as its bytes arrive: how long parsing takes depends on them far more than on the
 * text's length. Ten megabytes of one string take 10 ms; of small objects, a second.
 */
export class JsonMarks {
  count = 0
  private inString = false
  private isEscaped = false

  take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) at = this.inString ? this.endOfString(chunk, at) : this.mark(chunk, at)
  }

  private mark(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0
    if (byte === QUOTE) this.inString = true
    else if (MARKS.has(byte)) this.count++
    return at
  }

  /** Skips to the quote that ends the string, or to the end of the chunk. */
  private endOfString(chunk: Uint8Array, from: number): number {
    let at = from
    if (this.isEscaped) {
      this.isEscaped = false
      at++
    }
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === BACKSLASH) {
        if (at + 1 === chunk.length) this.isEscaped = true
        at++
      } else if (byte === QUOTE) {
        this.inString = false
        return at
      }
    }
    return at
  }
}

/** An attachment of a mail. */
export type Attachment = { name: string; bytes: Uint8Array }

/** A mail as its receiver posts it: whose it is, what makes it the same mail, and its attachments. */
export type Mail = { from: string; ids: string[]; attachments: Attachment[] }

/** A provider that receives mails for us and posts them here. */
export type Provider = 'postmark' | 'sendgrid' | 'mailgun'

type Posted = { contentType: string; chunks: AsyncIterable<Uint8Array> }

const MOST_FILES = 20
const MOST_FIELDS = 100
/** A mail has a few hundred: its headers, recipients and attachments. */
const MOST_MARKS = 50_000
const MOST_FIELD = 512 * 1024
/** The time for which a signed mail is accepted, in seconds: receivers send again for hours. */
const SIGNED_FOR_S = 24 * 3_600

const tooLarge = () =>
  new ServiceError(
    'payload_too_large',
    `The mail is larger than ${MAIL.maxBytes / 1024 / 1024} MB. Send smaller files, or put them where a link or SFTP reaches them.`,
  )
const notReadable = (why: string) =>
  new ServiceError(
    'bad_request',
    `The request is not as this receiver posts mails: ${why}. Check the receiver that was chosen for this source.`,
  )

/** Passes bytes on up to the cap. */
async function* capped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAIL.maxBytes) throw tooLarge()
    yield chunk
  }
}

/** The address in `Ana Hill <ana@example.com>`, in lower case. */
const addressOf = (from: string): string => (/<([^<>]{1,320})>\s*$/.exec(from)?.[1] ?? from).trim().toLowerCase()

/** Reports whether a sender is on the list: an address, or a domain such as `@example.com`. */
export const isAllowed = (from: string, senders: string): boolean => {
  const domain = from.slice(from.lastIndexOf('@'))
  return senders.split(/[,\s]+/).some((each) => each !== '' && (each === from || each === domain))
}

const text = (of: unknown, name: string): string => {
  const value: unknown = Reflect.get(Object(of), name)
  return typeof value === 'string' ? value : ''
}

/** Reads Postmark's posts, which are JSON with attachments in base64 (postmarkapp.com/developer/webhooks/inbound-webhook). */
async function readPostmark({ chunks }: Posted): Promise<Mail> {
  const decoder = new TextDecoder()
  let body = ''
  const marks = new JsonMarks()
  for await (const chunk of capped(chunks)) {
    marks.take(chunk)
    if (marks.count > MOST_MARKS) throw notReadable('it has more values than a mail')
    body += decoder.decode(chunk, { stream: true })
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(body + decoder.decode())
  } catch {
    throw notReadable('it is no JSON')
  }
  body = ''
  const found: unknown = Reflect.get(Object(parsed), 'Attachments')
  const attachments: Attachment[] = []
  for (const each of (Array.isArray(found) ? found : []).slice(0, MOST_FILES)) {
    // Each in a turn of its own, because a mail may be large.
    await setImmediate()
    attachments.push({ name: text(each, 'Name'), bytes: Buffer.from(text(each, 'Content'), 'base64') })
  }
  const from = text(Reflect.get(Object(parsed), 'FromFull'), 'Email') || text(parsed, 'From')
  if (from === '') throw notReadable('it names no sender')
  return { from: addressOf(from), ids: [text(parsed, 'MessageID')].filter(Boolean), attachments }
}

type Form = { fields: Map<string, string>; attachments: Attachment[] }

/** Reads a multipart form as it arrives. */
async function readForm({ contentType, chunks }: Posted): Promise<Form> {
  const form: Form = { fields: new Map(), attachments: [] }
  const limits = { files: MOST_FILES, fields: MOST_FIELDS, fieldSize: MOST_FIELD, parts: MOST_FILES + MOST_FIELDS }
  let parser: busboy.Busboy
  try {
    parser = busboy({ headers: { 'content-type': contentType }, limits, preservePath: false })
  } catch {
    throw notReadable('it is no multipart form')
  }
  const ended = new Promise<void>((done, fail) => {
    parser.on('field', (name, value) => form.fields.set(name.toLowerCase(), value))
    parser.on('file', (_, stream, { filename }) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => form.attachments.push({ name: filename ?? '', bytes: Buffer.concat(parts) }))
      stream.on('error', fail)
    })
    parser.on('close', done)
    parser.on('error', () => fail(notReadable('its form is cut or damaged')))
  })
  // It is waited for below; until then an error must not count as unheard.
  ended.catch(() => {})
  try {
    for await (const chunk of capped(chunks)) if (!parser.write(chunk)) await setImmediate()
    parser.end()
  } catch (error) {
    parser.destroy()
    throw error
  }
  await ended
  return form
}

/** Reads SendGrid's Inbound Parse (twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook). */
async function readSendgrid(posted: Posted): Promise<Mail> {
  const { fields, attachments } = await readForm(posted)
  const from = fields.get('from')
  if (from === undefined) throw notReadable('it names no sender')
  if (fields.has('email')) throw notReadable('it has the raw mail; turn off “POST the raw, full MIME message”')
  const id = /^message-id:\s*(\S+)/im.exec(fields.get('headers') ?? '')?.[1]
  return { from: addressOf(from), ids: id ? [id] : [], attachments }
}

/** @throws ServiceError `unauthorized` when a form is not signed with the key, or too long ago */
function requireMailgun(fields: Form['fields'], signingKey: string, now: Date): string {
  const [timestamp = '', token = '', signature = ''] = ['timestamp', 'token', 'signature'].map((name) =>
    fields.get(name),
  )
  const wanted = createHmac('sha256', signingKey)
    .update(timestamp + token)
    .digest()
  const given = Buffer.from(signature, 'hex')
  const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted)
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (isSigned && age <= SIGNED_FOR_S) return token
  throw new ServiceError(
    'unauthorized',
    'The signature is missing, too old, or made with another key. Enter Mailgun’s HTTP webhook signing key in the source’s settings.',
  )
}

/** Reads Mailgun's routes (documentation.mailgun.com, receiving and parsing messages). Its signature covers a token, which counts once. */
async function readMailgun(posted: Posted, signingKey: string, now: Date): Promise<Mail> {
  const { fields, attachments } = await readForm(posted)
  const token = requireMailgun(fields, signingKey, now)
  const from = fields.get('from') ?? fields.get('sender')
  if (from === undefined) throw notReadable('it names no sender')
  const id = fields.get('message-id')
  return { from: addressOf(from), ids: [`mailgun ${token}`, ...(id ? [id] : [])], attachments }
}

/**
 * Reads a mail as a receiver posts it.
 * @throws ServiceError `payload_too_large`, `bad_request` for another form, `unauthorized` for a wrong signature
 */
export async function readMail(
  provider: Provider,
  posted: Posted,
  { signingKey = '', now }: { signingKey?: string | undefined; now: Date },
): Promise<Mail> {
  if (provider === 'postmark') return await readPostmark(posted)
  if (provider === 'sendgrid') return await readSendgrid(posted)
  return await readMailgun(posted, signingKey, now)
}

/** Returns what makes a mail the same one, as it is stored: its ids, or else all of its attachments. */
export function hashesOf({ from, ids, attachments }: Mail): string[] {
  if (ids.length > 0) return ids.map((id) => createHash('sha256').update(`id ${id}`).digest('hex'))
  const all = createHash('sha256').update(`mail ${from}`)
  for (const { name, bytes } of attachments) all.update(`\n${name} ${bytes.length}\n`).update(bytes)
  return [all.digest('hex')]
}
