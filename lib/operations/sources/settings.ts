import * as z from 'zod'
import type { Source } from '@/db/queries/sources'
import { env } from '@/lib/core/env'
import { type FieldFault, ServiceError } from '@/lib/core/errors'
import { hostFault, portFault, urlFault } from '@/lib/core/public-address'
import { isInside } from '@/lib/load/fetch/folder'
import { privateKeyFault } from '@/lib/load/fetch/private-key'
import { type SourceSecret, sealSourceSecret } from '@/lib/load/fetch/secrets'
import { SFTP_PORT } from '@/lib/load/fetch/sftp-session'

const Text = (most: number) => z.string().trim().max(most)
const Secret = (most: number) => z.string().min(1).max(most)

export const PROVIDERS = ['postmark', 'sendgrid', 'mailgun'] as const

/** The settings that a person gives for a source of any kind; the kind decides which are needed. */
export const SOURCE_FIELDS = {
  url: Text(2_000).optional().describe('link: the address of the file, https://'),
  path: Text(500).optional().describe('folder: below the operator’s folder; sftp: the folder on the server'),
  host: Text(253).optional().describe('sftp: the server'),
  port: z.coerce.number().int().min(1).max(65_535).optional().describe('sftp: 22 when left out, else one from 1024 on'),
  user: Text(100).optional().describe('sftp'),
  password: Secret(1_000).optional().describe('sftp, where it is no private key'),
  privateKey: Secret(20_000)
    .optional()
    .describe('sftp: a private key in OpenSSH’s format, PEM (RSA or EC) or PuTTY’s of version 2'),
  passphrase: Secret(1_000).optional().describe('sftp: of the private key'),
  provider: z.enum(PROVIDERS).optional().describe('mail: who receives the mails and posts them here'),
  senders: Text(2_000)
    .optional()
    .describe('mail: whose mails are loaded: addresses, or domains such as @example.com, separated by commas'),
  signingKey: Secret(200).optional().describe('mail: Mailgun’s HTTP webhook signing key'),
}

export const Schedule = {
  every: z.enum(['hour', 'day', 'week']).optional(),
  hour: z.coerce.number().int().min(0).max(23).optional().describe('Of the contractor’s time zone; 2 when left out'),
  weekday: z.coerce.number().int().min(0).max(6).optional().describe('0 is Sunday, which it is when left out'),
  dates: z.enum(['mdy', 'dmy']).nullable().optional().describe('The order of dates in files that do not show it'),
  complete: z.boolean().optional().describe('Its files have every record: what they no longer have is deleted'),
}

const Given = z.object(SOURCE_FIELDS)
type Given = z.output<typeof Given>

type Kind = Source['kind']
type Settled = Pick<Source, 'settings'> & { secret: SourceSecret | undefined }

const SENDER = /^[^\s@,]*@[^\s@,.]+(?:\.[^\s@,.]+)+$/

/** Collects what is wrong, by field. */
class Faults {
  readonly all: FieldFault[] = []

  need(field: keyof Given, value: string | undefined, fault: (value: string) => string | undefined): string {
    const message = value === undefined || value === '' ? 'is required' : fault(value)
    if (message) this.all.push({ field, message })
    return value ?? ''
  }

  end(): void {
    if (this.all.length === 0) return
    throw new ServiceError('bad_request', this.all.map(({ field, message }) => `${field}: ${message}`).join('; '), {
      fields: this.all,
    })
  }
}

const NONE = () => undefined

function forFolder({ path = '' }: Given, faults: Faults): Settled {
  const { sourcesFolder, vercel } = env()
  if (sourcesFolder === undefined || vercel !== undefined)
    throw new ServiceError(
      'bad_request',
      'This server watches no folders: its operator sets SOURCES_FOLDER on a machine of their own. Use SFTP, a link or mails.',
    )
  if (!isInside(path)) faults.all.push({ field: 'path', message: 'must lead to a folder below, without `..`' })
  return { settings: { path }, secret: undefined }
}

function forSftp(given: Given, faults: Faults): Settled {
  const { host, port = SFTP_PORT, user, path = '.', password, privateKey, passphrase } = given
  const settings = {
    host: faults.need('host', host, hostFault),
    port: faults.need('port', String(port), () => portFault(port, SFTP_PORT)),
    user: faults.need('user', user, NONE),
    path,
  }
  if (privateKey !== undefined) {
    faults.need('privateKey', privateKey, privateKeyFault)
    return { settings, secret: { privateKey, ...(passphrase && { passphrase }) } }
  }
  return { settings, secret: { password: faults.need('password', password, NONE) } }
}

function forMail({ provider, senders, signingKey }: Given, faults: Faults): Settled {
  const listed = (senders ?? '').split(/[,\s]+/).filter(Boolean)
  const bad = listed.find((each) => !SENDER.test(each))
  const settings = {
    provider: faults.need('provider', provider, NONE),
    senders: faults.need('senders', listed.join(', ').toLowerCase(), () =>
      bad === undefined ? undefined : `${bad} is neither an address nor a domain such as @example.com`,
    ),
  }
  if (provider !== 'mailgun') return { settings, secret: undefined }
  return { settings, secret: { signingKey: faults.need('signingKey', signingKey, NONE) } }
}

const BY_KIND: Record<Kind, (given: Given, faults: Faults) => Settled> = {
  folder: forFolder,
  sftp: forSftp,
  link: ({ url }, faults) => ({ settings: { url: faults.need('url', url, urlFault) }, secret: undefined }),
  mail: forMail,
}

/** Completes what a person gives with what is stored where they say nothing. Of a stored secret it has only whether there is one. */
function withStored(given: Given, { settings, isKept }: { settings: Record<string, string>; isKept: boolean }): Given {
  const kept = isKept ? 'kept' : undefined
  const port = settings.port === undefined ? undefined : Number(settings.port)
  const provider = PROVIDERS.find((each) => each === settings.provider)
  return {
    url: given.url ?? settings.url,
    path: given.path ?? settings.path,
    host: given.host ?? settings.host,
    port: given.port ?? port,
    user: given.user ?? settings.user,
    password: given.password ?? kept,
    privateKey: given.privateKey,
    passphrase: given.passphrase,
    provider: given.provider ?? provider,
    senders: given.senders ?? settings.senders,
    signingKey: given.signingKey ?? kept,
  }
}

/**
 * Reads what a person gives for a source. What is left out of a change stays as it was, its secret too, which only the same server gets.
 * @throws ServiceError `bad_request` that names every field
 */
export function parseSourceSettings(kind: Kind, given: Given, before?: Source): Pick<Source, 'settings' | 'secret'> {
  const faults = new Faults()
  const { host, port, password, privateKey, signingKey } = given
  const stored = before?.settings ?? {}
  const isAnother = (host !== undefined && host !== stored.host) || (port !== undefined && String(port) !== stored.port)
  const isKept = before?.secret != null && (password ?? privateKey ?? signingKey) === undefined
  // Nobody who may change a source learns its secret by sending it to a server of their own.
  if (isKept && kind === 'sftp' && isAnother)
    faults.all.push({ field: 'password', message: 'is needed again, because the server is another one' })
  const { settings, secret } = BY_KIND[kind](withStored(given, { settings: stored, isKept }), faults)
  faults.end()
  // The key of a server is pinned to its address.
  const isSame = stored.host === settings.host && stored.port === settings.port
  const hostKey = isSame ? stored.hostKey : undefined
  return {
    settings: { ...settings, ...(hostKey && { hostKey }) },
    secret: isKept ? (before?.secret ?? null) : secret ? sealSourceSecret(secret) : null,
  }
}
