import { isAbsolute, resolve } from 'node:path'
import * as z from 'zod'
import { shared } from '@/lib/core/shared'
import { DatabaseDriver, databaseFaults, databaseSettings } from './database-settings'
import { OperatorError } from './errors'
import { faultsOf, sentenceOf } from './faults'
import { limitStoreFaults, limitStoreSettings, limitStoreVariables } from './limit-store-settings'
import { withoutEnd } from './text'

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const rate = (perMinute: number) => whole(1, 100_000_000).default(perMinute)
const isOn = z.stringbool({ truthy: ['on'], falsy: ['off'], error: 'must be on or off' })
const secret = z.string().min(16, 'must have at least 16 characters; `openssl rand -base64 48` makes a good one')
const host = z
  .string()
  .regex(/^[a-z0-9.-]+$/i, 'must be a bare host name, without scheme, port or path')
  .transform((name) => name.toLowerCase().replace(/\.$/, ''))
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((text) => withoutEnd(text, /\//))

/** A URL where the service is at the top: its pages and links begin with a slash. */
const origin = url.refine((text) => {
  const { pathname, search, hash, username, password } = new URL(text)
  return pathname === '/' && `${search}${hash}${username}${password}` === ''
}, 'must be a scheme, a host and perhaps a port, such as https://books.example.com, and nothing after it')
const ADDRESS = /^(?:[^<>]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/

const postgres = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
  // The driver also takes a user without a host, whose socket's folder is a parameter.
  .refine(
    (text) => URL.canParse(text.replace('@/', '@localhost/')),
    'must be an address such as postgres://user:password@host:5432/database; write special characters of the password percent-encoded',
  )
/** The levels of logging; each includes those before it. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const Variables = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  PLUMBLINE_DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgres.optional(),
  DATABASE_DRIVER: DatabaseDriver.optional(),
  POSTGRES_URL: postgres.optional(),
  POSTGRES_URL_NON_POOLING: postgres.optional(),
  // `unnamed`: each statement is parsed each time, for poolers that do not keep named ones.
  DATABASE_STATEMENTS: z.enum(['named', 'unnamed']).default('named'),
  DATABASE_POOL_SIZE: whole(1, 500).default(10),
  EXTERNAL_API_TOKEN_SECRET: secret.optional(),
  EXTERNAL_API_TOKEN_SECRET_PREVIOUS: secret.optional(),
  BETTER_AUTH_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters; `openssl rand -base64 48` makes a good one')
    .optional(),
  OAUTH: isOn.default(true),
  DATA_API_HOST: host.optional(),
  MCP_HOST: host.optional(),
  PORTAL_HOST: host.optional(),
  TRUSTED_PROXY_HOPS: whole(0, 10).optional(),
  RATE_LIMIT_DATA_API: rate(10),
  RATE_LIMIT_EXPORT: rate(6),
  RATE_LIMIT_LEADS: rate(60),
  // The most that a key's own limit may be where it takes the place of the one by address.
  RATE_LIMIT_KEY: rate(600),
  RATE_LIMIT_MCP: rate(100),
  RATE_LIMIT_RAG: rate(50),
  RATE_LIMIT_SIGN_IN: rate(10),
  RATE_LIMIT_OAUTH: rate(60),
  RATE_LIMIT_PAGES: rate(600),
  LEAD_DELIVERY_DAYS: whole(1, 3650).default(90),
  EMBEDDINGS_URL: url.optional(),
  EMBEDDINGS_API_KEY: z.string().min(1).optional(),
  EMBEDDINGS_MODEL: z.string().min(1).default('text-embedding-3-small'),
  REQUEST_LOG_DAYS: whole(0, 3650).default(30),
  CRON_SECRET: secret.optional(),
  SOURCES_FOLDER: z
    .string()
    .refine((path) => isAbsolute(path), 'must be an absolute path')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]+/, 'must begin with smtp:// or smtps:// and name a host')
    .optional(),
  MAIL_FROM: z
    .string()
    .max(300)
    .regex(ADDRESS, 'must be an address such as books@example.com or Books <books@example.com>')
    .optional(),
  MAIL_OUTBOX: isOn.default(false),
  QUICKBOOKS_CLIENT_ID: z.string().min(1).optional(),
  QUICKBOOKS_CLIENT_SECRET: z.string().min(1).optional(),
  QUICKBOOKS_WEBHOOK_VERIFIER: z.string().min(1).optional(),
  QUICKBOOKS_ENVIRONMENT: z.enum(['sandbox', 'production']).default('production'),
  // Only for tests: a server on this machine that speaks Intuit's protocol.
  QUICKBOOKS_TEST_URL: z
    .string()
    .regex(/^http:\/\/127\.0\.0\.1:\d+$/, 'must be http://127.0.0.1 with a port: it is for tests only')
    .optional(),
  ...limitStoreVariables(url),
  LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
  METRICS_TOKEN: secret.optional(),
  // Read by OpenTelemetry itself, which would send nothing to a wrong address and not say so; here they decide whether it is loaded.
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().default('plumbline'),
  VERCEL_OTEL_ENDPOINTS: z.string().optional(),
  WEB_CONCURRENCY: whole(1, 64).default(1),
  LIMITS_PER_WORKER: z.stringbool({ error: 'must be true or false' }).default(false),
  // The number of this worker; set by the process that starts the workers.
  PLUMBLINE_WORKER: whole(1, 1_000).optional(),
  VERCEL: z.string().optional(),
  VERCEL_ENV: z.enum(['production', 'preview', 'development']).optional(),
})

/** The service name of traces, when a collector is configured. */
function tracesOf(data: z.output<typeof Variables>): { serviceName: string } | undefined {
  const isTaken =
    data.OTEL_EXPORTER_OTLP_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.VERCEL_OTEL_ENDPOINTS
  return isTaken && data.OTEL_SDK_DISABLED !== 'true' ? { serviceName: data.OTEL_SERVICE_NAME } : undefined
}

/** Hosts that are the same, which would leave all but one of their faces unreachable; one line each for an EnvError. */
function hostFaults({ DATA_API_HOST, MCP_HOST, PORTAL_HOST }: z.output<typeof Variables>): string[] {
  const faces = Object.entries({ DATA_API_HOST, MCP_HOST, PORTAL_HOST })
  return faces.flatMap(([name, host], at) => {
    const same = faces.slice(0, at).find(([, other]) => host !== undefined && other === host)
    return same ? [`${name}: is the same host as ${same[0]}; give each its own, or set none of the three`] : []
  })
}

/** The service's settings, read once at startup. */
export type Env = Readonly<ReturnType<typeof loadEnv>>

/** The error thrown at startup. Names every bad variable, so that one run shows everything there is to fix. */
export class EnvError extends OperatorError {
  override name = 'EnvError'
}

function refuse(faults: string[]): never {
  throw new EnvError(`These environment variables cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
}

/**
 * Reads and checks the settings from environment variables; an empty one, or one of spaces, counts as unset.
 * @throws EnvError that names every bad variable and what it must be
 */
export function loadEnv(source: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()))
  const parsed = Variables.safeParse(given, { error: sentenceOf })
  if (!parsed.success) refuse(faultsOf(parsed.error, 'settings').map(({ field, message }) => `${field}: ${message}`))
  const { data } = parsed
  const contradictions = [...databaseFaults(data), ...limitStoreFaults(data), ...hostFaults(data)]
  if (contradictions.length > 0) refuse(contradictions)
  return {
    production: data.NODE_ENV === 'production',
    port: data.PORT,
    host: data.HOST,
    dataDir: isAbsolute(data.PLUMBLINE_DATA_DIR)
      ? data.PLUMBLINE_DATA_DIR
      : resolve(/* turbopackIgnore: true */ process.cwd(), data.PLUMBLINE_DATA_DIR),
    ...databaseSettings(data),
    poolSize: data.DATABASE_POOL_SIZE,
    namedStatements: data.DATABASE_STATEMENTS === 'named',
    tokenSecrets: [data.EXTERNAL_API_TOKEN_SECRET, data.EXTERNAL_API_TOKEN_SECRET_PREVIOUS] as const,
    authSecret: data.BETTER_AUTH_SECRET,
    // Whether people may connect programs; lib/auth/oauth/places.ts says where that works.
    oauth: data.OAUTH,
    hosts: { api: data.DATA_API_HOST, mcp: data.MCP_HOST, portal: data.PORTAL_HOST },
    publicUrl: data.PUBLIC_URL ?? `http://localhost:${data.PORT}`,
    // Vercel's edge is one proxy and writes X-Forwarded-For itself.
    proxyHops: data.TRUSTED_PROXY_HOPS ?? (data.VERCEL ? 1 : 0),
    leadDeliveryDays: data.LEAD_DELIVERY_DAYS,
    embeddings: data.EMBEDDINGS_URL
      ? { url: data.EMBEDDINGS_URL, apiKey: data.EMBEDDINGS_API_KEY, model: data.EMBEDDINGS_MODEL }
      : undefined,
    requestLogDays: data.REQUEST_LOG_DAYS,
    cronSecret: data.CRON_SECRET,
    // Below it, a folder for each contractor's slug may be watched; undefined where none is.
    sourcesFolder: data.SOURCES_FOLDER,
    // Without a server mail is written into the data directory.
    mail: data.SMTP_URL ? { url: data.SMTP_URL, from: data.MAIL_FROM } : undefined,
    // Whether the folder stands in for a server in email about accounts too; the demonstration turns it on.
    mailOutbox: data.MAIL_OUTBOX,
    // Intuit's app that people connect their QuickBooks through; each value is undefined where it is not set.
    quickbooks: {
      clientId: data.QUICKBOOKS_CLIENT_ID,
      clientSecret: data.QUICKBOOKS_CLIENT_SECRET,
      verifier: data.QUICKBOOKS_WEBHOOK_VERIFIER,
      environment: data.QUICKBOOKS_ENVIRONMENT,
      testUrl: data.QUICKBOOKS_TEST_URL,
    },
    // Which of Vercel's environments this is; undefined anywhere else.
    vercel: data.VERCEL ? (data.VERCEL_ENV ?? 'production') : undefined,
    limitStore: limitStoreSettings(data),
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN,
    traces: tracesOf(data),
    workers: data.WEB_CONCURRENCY,
    limitsPerWorker: data.LIMITS_PER_WORKER,
    workerSlot: data.PLUMBLINE_WORKER,
    limits: {
      dataApi: data.RATE_LIMIT_DATA_API,
      export: data.RATE_LIMIT_EXPORT,
      leads: data.RATE_LIMIT_LEADS,
      key: data.RATE_LIMIT_KEY,
      mcp: data.RATE_LIMIT_MCP,
      rag: data.RATE_LIMIT_RAG,
      signIn: data.RATE_LIMIT_SIGN_IN,
      oauth: data.RATE_LIMIT_OAUTH,
      pages: data.RATE_LIMIT_PAGES,
    },
  }
}

/** The settings of this process; reads them at the first call. */
export const env: () => Env = shared<Env>('settings', () => loadEnv())

/** The public addresses of the three faces, from configuration and never from a request. */
export function baseUrls({ hosts, publicUrl }: Pick<Env, 'hosts' | 'publicUrl'>): {
  api: string
  apiPrefix: '' | '/api/v1'
  mcp: string
  portal: string
} {
  return {
    api: hosts.api ? `https://${hosts.api}` : publicUrl,
    apiPrefix: hosts.api ? '' : '/api/v1',
    mcp: `${hosts.mcp ? `https://${hosts.mcp}` : publicUrl}/mcp`,
    portal: hosts.portal ? `https://${hosts.portal}` : publicUrl,
  }
}
