import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type Database, database, withinContractor } from '@/db/client'
import { showDraft } from '@/db/queries/load-drafts'
import {
  changeSource,
  findSourceByToken,
  hasMail,
  insertRun,
  noteSeen,
  recordMail,
  type Source,
} from '@/db/queries/sources'
import { hashKey } from '@/lib/auth/keys'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { Places } from '@/lib/limits/places'
import { isFileName, newDraft } from '@/lib/load/draft'
import { forgetDraft, storeFile } from '@/lib/load/draft-bytes'
import { DRAFT_LIMITS } from '@/lib/load/draft-limits'
import { SourceProblem } from '@/lib/load/fetch/fetched'
import { unsealSourceSecret } from '@/lib/load/fetch/secrets'
import { holdProcessForLoad } from '@/lib/load/hold'
import { mayBeTable } from '@/lib/load/join/find'
import { type Attachment, hashesOf, isAllowed, type Mail, type Provider, readMail } from '@/lib/load/mail/mail'
import { noteFailure } from './runs/run-one'
import { runSources } from './runs/worker'
import { PROVIDERS } from './settings'

/** The outcome of a mail: held to be loaded, taken before, from somebody who is not on the list, or without a file that can be loaded. */
export type MailOutcome = 'held' | 'duplicate' | 'ignored' | 'unusable'

const TOKEN = /^[\w-]{32}$/
/** Mails that are received at once, because each is held in memory. */
const places = shared<Places>('mailPlaces', () => new Places({ ofSubject: 2, ofProcess: 4 }))
const AFTER_MS = 25_000

const unknown = () =>
  new ServiceError('unauthorized', 'This URL is not known. It may have been replaced; the portal shows a new one once.')

const providerOf = ({ settings }: Source): Provider =>
  PROVIDERS.find((each) => each === settings.provider) ?? 'postmark'

/** The attachments that can be loaded, each under a name of its own. */
function tablesOf({ attachments }: Mail): Attachment[] {
  const found = new Map<string, Attachment>()
  for (const { name: sent, bytes } of attachments) {
    const name = basename(sent.replaceAll('\\', '/')).trim()
    if (!isFileName(name) || !mayBeTable(name) || bytes.length === 0) continue
    const free = found.has(name) ? `${found.size + 1} ${name}` : name
    if (isFileName(free)) found.set(free, { name: free, bytes })
  }
  return [...found.values()]
}

/** Notes a run that failed before it began, so that it is told of as any other. */
async function failed(db: Database, source: Source, hashes: string[], reason: string, now: Date): Promise<MailOutcome> {
  const id = newId('sourceRun')
  const { contractorId } = source
  return await withinContractor(db.orm, contractorId, async (orm): Promise<MailOutcome> => {
    if (!(await recordMail(orm, source, hashes, now))) return 'duplicate'
    await insertRun(orm, { id, contractorId, sourceId: source.id, startedAt: now, outcome: 'running', files: [] })
    await noteFailure(orm, source, id, new SourceProblem(reason), now)
    return 'unusable'
  })
}

/** Holds the files of a mail until they are loaded. Nobody finds them before all of them are there. */
async function hold(
  db: Database,
  source: Source,
  files: Attachment[],
  hashes: string[],
  now: Date,
): Promise<MailOutcome> {
  const { contractorId, id } = source
  const holder = { db, contractorId }
  const draft = await newDraft(holder, id, true)
  try {
    for (const { name, bytes } of files) {
      const most = { ofFile: DRAFT_LIMITS.sources.mostBytes, ...DRAFT_LIMITS.sources }
      await storeFile(holder, { draft, file: name, role: 'dropped' }, Readable.from([bytes]), { most })
    }
    const isNew = await withinContractor(db.orm, contractorId, async (orm) => {
      if (!(await recordMail(orm, source, hashes, now))) return false
      await showDraft(orm, contractorId, draft.id)
      await changeSource(orm, contractorId, id, { nextAt: now })
      return true
    })
    if (isNew) return 'held'
  } catch (error) {
    await forgetDraft(holder, draft.id).catch(() => {})
    throw error
  }
  await forgetDraft(holder, draft.id)
  return 'duplicate'
}

async function take(db: Database, source: Source, mail: Mail, now: Date): Promise<MailOutcome> {
  const { contractorId, id, settings } = source
  if (!isAllowed(mail.from, settings.senders ?? '')) {
    const ignored = `${mail.from.slice(0, 200)} ${now.toISOString()}`
    await withinContractor(db.orm, contractorId, (orm) => noteSeen(orm, source, { ignored }))
    return 'ignored'
  }
  const hashes = hashesOf(mail)
  if (await hasMail(db.orm, id, hashes)) return 'duplicate'
  const files = tablesOf(mail)
  if (files.length > 0) return await hold(db, source, files, hashes, now)
  const names = mail.attachments.map(({ name }) => name).filter(Boolean)
  const has = names.length > 0 ? `only ${names.slice(0, 5).join(', ').slice(0, 300)}` : 'no attachment'
  const reason = `The mail of ${mail.from} has no file that can be loaded: it has ${has}. Attach a CSV, TSV, IIF or XLSX file.`
  return await failed(db, source, hashes, reason, now)
}

/**
 * Takes a mail that a receiver posts to the URL of a source.
 * @throws ServiceError `unauthorized` for an unknown URL or a wrong signature, `payload_too_large`, `bad_request`, `busy`
 */
export async function receiveMail(
  token: string,
  posted: { contentType: string; chunks: AsyncIterable<Uint8Array> },
  now = new Date(),
): Promise<MailOutcome> {
  if (!TOKEN.test(token)) throw unknown()
  const db = await database()
  const source = await findSourceByToken(db.orm, hashKey(token))
  if (!source) throw unknown()
  const leave = places().take(source.id)
  if (!leave)
    throw new ServiceError('busy', 'The server is receiving as many mails as it can. Send it again in a moment.', {
      headers: { 'retry-after': '30' },
    })
  try {
    const secret = source.secret === null ? undefined : unsealSourceSecret(source.secret)
    if (source.secret !== null && !secret)
      throw new Error('the secret of a source was sealed with another EXTERNAL_API_TOKEN_SECRET; enter it again')
    const mail = await readMail(providerOf(source), posted, { signingKey: secret?.signingKey, now })
    const taken = await take(db, source, mail, now)
    // Where no timer runs, the mail is loaded once it is answered.
    if (taken === 'held' && env().vercel !== undefined)
      holdProcessForLoad(
        runSources({ budgetMs: AFTER_MS }).then(
          () => {},
          (fault) => logFault({ operation: 'sources' }, fault),
        ),
      )
    return taken
  } finally {
    leave()
  }
}
