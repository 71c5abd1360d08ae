import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@/lib/core/disk'
import { env } from '@/lib/core/env'
import { OUTBOX_FOLDER } from '@/lib/core/outbox'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter)

/** Returns a line as HTML. Our own addresses stand alone on their line; what strangers wrote beside other words stays text. */
const lineOf = (line: string): string =>
  /^https?:\/\/[^\s"<>]+$/.test(line) ? `<a href="${escaped(line)}">${escaped(line)}</a>` : escaped(line)

/** Returns an email's text as simple HTML: its paragraphs, and a link for each line that is an address. */
function htmlOf(text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').map(lineOf).join('<br>\n')}</p>`)
  return `<!doctype html>\n<html lang="en"><body style="font: 16px/1.5 sans-serif; max-width: 36em">\n${paragraphs.join('\n')}\n</body></html>\n`
}

/**
 * An email to one person, whose text is also sent as simple HTML. `id` becomes its Message-ID, so that mail programs show an email sent
 * twice only once.
 */
export type Mail = { id: string; to: string; subject: string; text: string }

const TIMEOUT_MS = 20_000

/** Reports whether email can be sent: by SMTP, or into the folder, which needs a disk. */
export const canMail = (): boolean => env().mail !== undefined || env().vercel === undefined

/** Sends an email by SMTP, or writes it as a file into the data directory when no server is set. @throws Error with the server's message */
export async function sendMail({ id, to, subject, text }: Mail): Promise<void> {
  const { mail, dataDir } = env()
  const { createTransport } = await import('nodemailer')
  const host = new URL(env().publicUrl).hostname
  const from = mail?.from ?? `Plumbline <plumbline@${host}>`
  const message = {
    from,
    to,
    subject,
    text,
    html: htmlOf(text),
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
  if (mail) {
    const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
    const transport = createTransport({ url: mail.url, ...limits, disableFileAccess: true, disableUrlAccess: true })
    try {
      await transport.sendMail(message)
    } finally {
      transport.close()
    }
    return
  }
  const made = await createTransport({ streamTransport: true, buffer: true }).sendMail(message)
  const folder = join(/* turbopackIgnore: true */ dataDir, OUTBOX_FOLDER)
  makeFolder(folder)
  const draft = join(/* turbopackIgnore: true */ folder, `.${randomUUID()}`)
  await writeFile(draft, made.message, { mode: 0o600 })
  await rename(draft, join(/* turbopackIgnore: true */ folder, `${id}.eml`))
}
