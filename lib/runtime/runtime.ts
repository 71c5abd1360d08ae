import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:http'
import type { LRUCache } from 'lru-cache'
import type { Database, SharedDatabase, Statement } from '@/db/client'
import type { Counted } from '@/db/queries/count'
import type { ListSource, Page } from '@/db/queries/list'
import type { LoadLocks } from '@/db/queries/load-lock'
import type { LiveSession } from '@/db/queries/mcp-sessions'
import type { CheckedHour } from '@/db/queries/service-checks'
import type { Around } from '@/db/statements'
import type { Known } from '@/lib/auth/key-cache'
import type { OAuthServer } from '@/lib/auth/oauth/library'
import type { SigningKeys } from '@/lib/auth/oauth/verify'
import type { PeopleAuth } from '@/lib/auth/people/library'
import type { ConnectorDriver } from '@/lib/connectors/driver'
import type { Env } from '@/lib/core/env'
import type { ProcessLog } from '@/lib/core/log'
import type { Connecting } from '@/lib/core/public-post'
import type { Tallied } from '@/lib/core/tally'
import type { EmbeddingState } from '@/lib/knowledge/retrieval/embed'
import type { TakeLead } from '@/lib/leads/intake'
import type { Limiter } from '@/lib/limits/limiter'
import type { Places } from '@/lib/limits/places'
import type { Turns, Waiter } from '@/lib/limits/turns'
import type { LoadHold } from '@/lib/load/hold'
import type { Unreturned } from '@/lib/load/room'
import type { KeptLive } from '@/lib/mcp/documents/live'
import type { Streams } from '@/lib/mcp/update-streams'
import type { CheckedDatabase } from '@/lib/operations/health'
import type { BodyUsage } from '@/lib/server/bodies'
import type { CachedPage } from '@/lib/server/page-cache'
import type { RenderGate } from '@/lib/server/render-gate'
import type { Gathering } from '@/lib/server/workers/gather'
import type { Waiters } from '@/lib/sync/waiters'
import type { Watches } from '@/lib/sync/watch'
import type { WebhookDriver } from '@/lib/sync/webhooks/after-write'
import type { Metrics } from '@/lib/telemetry/metrics'
import type { Queue } from '@/lib/telemetry/queue'
import type { Item, LogLinks } from '@/lib/telemetry/request-log'
import type { Tracing } from '@/lib/telemetry/tracing'

/** What runs in this process: `server.ts`, Next by itself (plain `next start`, Vercel), the command line, or tests. */
export type EntryName = 'server.ts' | 'next' | 'cli' | 'tests'

/** A part that is there once it was started. */
type Started<T> = { current?: T }

/**
 * Everything that exists once per process. `server.ts` and Next's bundles are separate copies of our modules in one process, so what
 * they must share is kept here and never in a variable of a module.
 */
export type Runtime = {
  entry: EntryName
  settings: Env
  log: ProcessLog
  stopSignal: AbortSignal
  tallies: Map<Tallied, Map<string, number>>

  /** What `next start` began before Next asked for it: whether the service is up. */
  begun: Started<Promise<boolean>>
  database: SharedDatabase
  /** The compiled code of the embedded database. */
  embeddedCode: Started<Promise<WebAssembly.Module | undefined>>
  aroundStatements: Started<Around>
  /** Prepared statements by their key: their names belong to the connections, which all copies share. */
  pageStatements: Map<string, Statement>
  /** Sources with their details, by resource and what of them is shown. */
  detailSources: Map<string, ListSource>
  /** Sessions of MCP clients of the last seconds. */
  mcpSessions: LRUCache<string, LiveSession>
  /** Who waits in this process for a person's answer, by the id of the question. */
  mcpQuestions: Map<string, () => void>
  /** What lists of agents found, counted and summed, by question. */
  countedLists: LRUCache<string, Counted>
  /** Pages of agents' lists, by question. */
  keptPages: LRUCache<string, Page>
  newestStatements: Map<string, Statement>
  browseStatements: Map<string, Statement>
  permitStatements: Map<string, Statement>
  health: Started<Promise<CheckedDatabase>>
  liveState: Started<KeptLive>

  limiter: Limiter
  keyCache: LRUCache<string, Known>
  keyLookUps: Map<string, Promise<Known>>
  people: WeakMap<Database, PeopleAuth>
  oauth: WeakMap<Database, OAuthServer>
  /** The grant that the consent call under way is for. */
  oauthGrant: AsyncLocalStorage<string>
  /** Public keys of access tokens, by their id. */
  oauthKeys: Started<SigningKeys>
  passwordTurns: Turns
  /** How identity providers of contractors are reached. */
  ssoConnecting: Connecting
  passwordWaiter: AsyncLocalStorage<Waiter>

  takeLead: TakeLead
  /** Contractors whose files are being loaded. */
  loading: Set<string>
  /** The database whose connections hold the locks of loads, while there are any. */
  loadLocks: LoadLocks
  /** Bytes of dropped uploads whose disk is not given back yet, by contractor. */
  unreturnedUploads: Map<string, Unreturned>
  loadHold: LoadHold
  embeddings: EmbeddingState
  clockTimer: Started<true>
  retentionTimer: Started<true>
  statusTimer: Started<true>
  /** Checks of the service that are not in the database yet. */
  statusWaiting: Map<string, CheckedHour>
  notifyTimer: Started<true>
  numberingTimer: Started<true>
  sourcesTimer: Started<true>
  /** Mails that are being received. */
  mailPlaces: Places
  webhookDriver: WebhookDriver
  connectorDriver: ConnectorDriver
  /** Requests whose answers are streams that a framework reads. */
  streamingRequests: Set<Request>
  /** Requests that wait for a change. */
  changeWaiters: Waiters
  /** Contractors whose feeds are followed. */
  changeWatches: Watches
  /** Streams that tell MCP clients of changes. */
  mcpStreams: Streams
  /** Exports that are running. */
  exportPlaces: Places

  requestLog: Queue<Item>
  /** Requests that are only counted, by what makes them alike. */
  requestCounts: Map<string, Item>
  requestLogLinks: LogLinks
  metrics: Started<Metrics>
  tracing: Started<Tracing>

  bodies: BodyUsage
  pages: LRUCache<string, CachedPage>
  /** Whether a path has no page in this build. */
  unknownPage: (path: string) => boolean
  renderGate: RenderGate
  /** Servers of Next's that the front stands before. */
  fronted: WeakSet<Server>
  gathering: Gathering
}

const KEY = Symbol.for('plumbline.runtime')

function parts(): Partial<Runtime> {
  const found: Partial<Runtime> | undefined = Reflect.get(globalThis, KEY)
  if (found) return found
  const made = {}
  Reflect.set(globalThis, KEY, made)
  return made
}

/**
 * Makes this process's runtime; an entry calls it before anything else. Next inside `server.ts` calls it too and finds one.
 * @returns whether the runtime is this entry's
 */
export function makeRuntime(entry: EntryName): boolean {
  const runtime = parts()
  runtime.entry ??= entry
  return runtime.entry === entry
}

/** The entry of this process; a program that is none, such as the build, counts as Next. */
export const entryName = (): EntryName => parts().entry ?? 'next'

/** Returns a getter of one part, which is made at its first use: the build opens nothing, and a command only what it needs. */
export function part<Name extends keyof Runtime>(name: Name, make: () => Runtime[Name]): () => Runtime[Name] {
  let found: Runtime[Name] | undefined
  let of: Partial<Runtime> | undefined
  return () => {
    const runtime = parts()
    if (found !== undefined && of === runtime) return found
    const kept = runtime[name] ?? make()
    runtime[name] = kept
    found = kept
    of = runtime
    return kept
  }
}

/** Returns a getter of what follows from the settings: made at its first use, by each copy of a module alike. */
export function derived<T>(make: () => T): () => T {
  let made: { of: object; value: T } | undefined
  return () => {
    const of = parts()
    if (made?.of !== of) made = { of, value: make() }
    return made.value
  }
}
