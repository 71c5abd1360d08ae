import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { env } from '@/lib/core/env'

/** A plain-text email to one person. `id` becomes its Message-ID, so that mail programs show an email sent twice only once. */
export type Mail = { id: string; to: string; subject: string; text: string }

/** The folder for email while no SMTP server is set. */
export const OUTBOX_FOLDER = 'outbox'

const TIMEOUT_MS = 20_000

/** Whether email can be sent: by SMTP, or into the folder, which needs a disk. */
export const canMail = (): boolean => env().mail !== undefined || env().vercel === undefined

/** Sends an email by SMTP, or writes it as a file into the data directory when no server is set. @throws Error with the server's message */
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
  await writeFile(draft, made.message, { mode: 0o600 })
  await rename(draft, join(folder, `${id}.eml`))
}
