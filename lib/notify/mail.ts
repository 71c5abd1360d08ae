import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { env } from '@/lib/core/env'

/** A mail to one person; plain text. `id` becomes its Message-ID, so that a mail sent twice is shown once. */
export type Mail = { id: string; to: string; subject: string; text: string }

/** The folder that mail goes to while no SMTP server is set. */
export const OUTBOX_FOLDER = 'outbox'

const TIMEOUT_MS = 20_000

/** Whether mail can leave: by SMTP, or into the folder, which a platform without a disk has not. */
export const canMail = (): boolean => env().mail !== undefined || env().vercel === undefined

/** Sends a mail by the SMTP server that is set, else writes it into the data directory as a file. @throws Error with the server's words */
export async function sendMail({ id, to, subject, text }: Mail): Promise<void> {
  const { mail, dataDir } = env()
  const host = new URL(env().publicUrl).hostname
  const from = mail?.from ?? `Plumbline <plumbline@${host}>`
  const message = {
    from,
    to,
    subject,
    text,
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
  const folder = join(dataDir, OUTBOX_FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${randomUUID()}`)
  await writeFile(draft, made.message as Buffer, { mode: 0o600 })
  await rename(draft, join(folder, `${id}.eml`))
}
