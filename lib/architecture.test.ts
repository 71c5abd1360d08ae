import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { documented } from '@/lib/http/openapi/operation'
import { endpoints } from '@/lib/server/endpoints'
import { INGEST, MAIL, UPLOAD } from './core/uploads'
import { documents } from './mcp/documents/endpoints'
import { siteDocuments } from './site/endpoints'
import { sourceFiles } from './testing/sources'

const root = resolve(import.meta.dirname, '..')

const sources = sourceFiles()

/** The modules a file imports: ours as paths from the root, packages by name. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => {
    if (name.startsWith('@/')) return name.slice(2)
    return name.startsWith('.') ? relative(root, resolve(root, dirname(path), name)) : name
  })
}

const inRoom = (path: string, room: string) => path === room || path.startsWith(`${room}/`)

/**
 * Every room, and what it may import of ours beside itself. A folder within a room that others need more widely than the room stands
 * before it; the first that matches a file counts.
 */
const ROOMS: [room: string, imports: string[]][] = [
  // It names the type of every part, and imports nothing else: a test below holds that.
  ['lib/runtime', ['lib', 'db']],
  ['lib/core', []],
  ['lib/limits', ['lib/core']],
  ['lib/resources', ['lib/auth/scopes', 'db', 'lib/core']],
  ['lib/auth', ['lib/limits', 'db', 'lib/core']],
  ['lib/leads', ['lib/resources', 'lib/auth/keys', 'db', 'lib/core']],
  ['lib/load', ['lib/resources', 'db', 'lib/core']],
  ['lib/knowledge', ['lib/site/guides', 'db', 'lib/core']],
  ['lib/sync', ['lib/resources', 'db', 'lib/core']],
  // What is read from other software goes through the loader, so that it is checked, numbered and told of as a file's rows are.
  ['lib/connectors', ['lib/load', 'lib/sync/webhooks/after-write', 'lib/resources', 'lib/auth', 'db', 'lib/core']],
  [
    'lib/operations',
    [
      'lib/leads',
      'lib/load',
      'lib/connectors',
      'lib/knowledge',
      'lib/notify',
      'lib/sync',
      'lib/resources',
      'lib/auth',
      'lib/limits',
      'db',
      'lib/core',
    ],
  ],
  ['lib/maintenance', ['db', 'lib/core']],
  // Messages that leave: alerts now, invitations and resets with them. Operations queue them, a timer and the scheduler's route send them.
  ['lib/notify', ['db', 'lib/core']],
  ['lib/telemetry', ['lib/server/workers', 'lib/resources', 'lib/limits', 'db', 'lib/core']],
  ['lib/http/rest', ['lib/http', 'lib/operations', 'lib/auth', 'lib/core']],
  ['lib/http/openapi', ['lib/operations', 'lib/resources', 'lib/core']],
  [
    'lib/http/internal.ts',
    [
      'lib/http',
      'lib/operations/status',
      'lib/operations/sources',
      'lib/connectors',
      'lib/maintenance',
      'lib/notify',
      'lib/sync',
      'lib/core',
    ],
  ],
  ['lib/http/connectors.ts', ['lib/http', 'lib/connectors', 'lib/core']],
  ['lib/http/metrics.ts', ['lib/http', 'lib/telemetry', 'lib/core']],
  ['lib/http', ['lib/telemetry', 'lib/auth', 'lib/limits', 'lib/core']],
  // What runs in clients that render views, beside types of what it draws.
  ['lib/mcp/views', ['lib/operations']],
  [
    'lib/mcp',
    [
      'lib/site/guides',
      'lib/http',
      'lib/operations',
      'lib/sync',
      'lib/resources',
      'lib/auth',
      'lib/limits',
      'db',
      'lib/core',
    ],
  ],
  ['lib/site/guides', ['lib/core']],
  ['lib/site', ['lib/mcp', 'lib/http', 'lib/core']],
  [
    'lib/cli',
    [
      'lib/server/deployment',
      'lib/maintenance',
      'lib/operations',
      'lib/leads',
      'lib/knowledge',
      'lib/load',
      'lib/auth',
      'db',
      'lib/core',
    ],
  ],
  ['lib/portal', ['lib/core']],
  ['lib/server/workers', ['lib/core']],
  ['lib/server/deployment', ['db', 'lib/core']],
  ['lib/server', ['lib', 'db', 'patches']],
  ['app/ui', ['app/links', 'lib/portal', 'lib/auth/roles', 'lib/core']],
  ['db', ['patches', 'lib/core']],
  ['patches', []],
]

/** What REST alone mounts; agents have their own way in. */
const NOT_FOR_MCP = 'lib/http/rest'

test('every folder of lib is listed here as a room', () => {
  const folders = readdirSync(join(root, 'lib')).filter((name) => statSync(join(root, 'lib', name)).isDirectory())
  const named = ROOMS.map(([room]) => room.split('/')[1])
  expect(folders.filter((name) => name !== 'testing' && !named.includes(name))).toEqual([])
  expect(
    readdirSync(join(root, 'lib')).filter((name) => !folders.includes(name) && !name.endsWith('.test.ts')),
  ).toEqual([])
})

const roomOf = (path: string) => ROOMS.find(([room]) => inRoom(path, room))

test.each(ROOMS)('%s imports only from rooms below it', (room, allowed) => {
  for (const path of sources.filter((path) => roomOf(path)?.[0] === room)) {
    for (const name of importsOf(path)) {
      const isOurs = /^(app|lib|db|patches)(\/|$)/.test(name)
      if (isOurs)
        expect(
          [room, 'lib/runtime', ...allowed].some((other) => inRoom(name, other)) &&
            !(room === 'lib/mcp' && inRoom(name, NOT_FOR_MCP)),
          `${path} imports ${name}`,
        ).toBe(true)
    }
  }
})

test('the runtime imports only types, so every room may import it', () => {
  for (const path of sources.filter((path) => inRoom(path, 'lib/runtime')))
    expect(readFileSync(join(root, path), 'utf8').match(/^(import|export) (?!type )[^=]*? from .*/gm), path).toBeNull()
})

test('only app, middleware, server and instrumentation import Next; only db, resources and patches import drivers and Drizzle', () => {
  for (const path of sources) {
    for (const name of importsOf(path)) {
      if (/^next(\/|$)/.test(name))
        expect(
          /^(app\/|middleware\.ts|lib\/server\/serve\.ts|instrumentation\.ts)/.test(path),
          `${path} imports ${name}`,
        ).toBe(true)
      if (/^drizzle-orm/.test(name))
        expect(/^(db|lib\/resources|patches)\//.test(path), `${path} imports ${name}`).toBe(true)
      if (/^(pg|@electric-sql\/pglite|@vercel\/postgres)$/.test(name))
        expect(/^(db\/drivers|patches)\//.test(path), `${path} imports ${name}`).toBe(true)
    }
  }
})

test('browser components import no server code', () => {
  for (const path of sources.filter((path) => path.includes('.client.'))) {
    for (const name of importsOf(path))
      expect(/^(lib\/(?!portal|core)|db)/.test(name), `${path} imports ${name}`).toBe(false)
  }
})

const routeFile = (path: string) => `app${path.replace(/{(\w+)}/, '[$1]')}/route.ts`
/** Route files that are no operation: the JSON 404 for the rest of the API, and what only the portal’s own pages call. */
const INTERNAL_ROUTES = [
  'app/api/[...unknown]/route.ts',
  'app/(portal)/audit/export/route.ts',
  'app/(portal)/data/[resource]/export/route.ts',
  'app/(portal)/data/load/files/route.ts',
  'app/(portal)/data/load/refused/route.ts',
  'app/(portal)/data/load/run/route.ts',
  'app/(portal)/data/quickbooks/callback/route.ts',
  'app/(portal)/developers/first-request/route.ts',
  'app/(portal)/find/route.ts',
  'app/(portal)/logs/export/route.ts',
  'app/(portal)/logs/tail/route.ts',
  'app/(portal)/sign-in/sso/[slug]/callback/route.ts',
  'app/(portal)/sign-in/sso/[slug]/start/route.ts',
]

test('every endpoint of the registry has its route file, and every route file its endpoint', () => {
  const wanted = endpoints.map(({ path }) => routeFile(path))
  const there = sources.filter(
    (path) => path.startsWith('app/') && path.endsWith('/route.ts') && !INTERNAL_ROUTES.includes(path),
  )
  expect(there.sort()).toEqual(wanted.sort())
})

test('a route file mounts the operation of its path', () => {
  for (const operation of documented()) {
    const path = operation.http.at === 'data' ? `/api/v1${operation.http.path}` : operation.http.path
    const constant = operation.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    // A path with several methods mounts several.
    const [, mounted = ''] = / = route\((.+)\)\n$/.exec(readFileSync(join(root, routeFile(path)), 'utf8')) ?? []
    expect(mounted.split(', ').map((name) => name.replace(/^(checksums|recordExports|records)\./, ''))).toContain(
      constant,
    )
  }
})

test('a route file of a public document mounts the document of its path', () => {
  for (const [list, entries] of Object.entries({ documents, siteDocuments }))
    for (const [name, { path }] of Object.entries(entries))
      expect(readFileSync(join(root, routeFile(path)), 'utf8')).toContain(` = routeOf(${list}.${name}.answer)\n`)
})

test('uploads bypass the middleware, which would buffer them in memory', () => {
  const [, matcher = ''] = readFileSync(join(root, 'middleware.ts'), 'utf8').match(/matcher: '(.+)'/) ?? []
  for (const path of [UPLOAD.path, `${INGEST.path}customers.csv`, `${MAIL.path}token`])
    expect(new RegExp(`^${matcher}$`).test(path), path).toBe(false)
  for (const path of [
    '/data/load',
    '/api/v1/loads',
    '/api/v1/loadsx/x',
    `${UPLOAD.path}x`,
    `${UPLOAD.path}/x`,
    `/x${UPLOAD.path}`,
    '/_next/staticx',
  ])
    expect(new RegExp(`^${matcher}$`).test(path), path).toBe(true)
})

test('only the executor runs an operation, and it checks access, input and output', () => {
  const mentions = sources.filter(
    (path) => /\bRUN\b/.test(readFileSync(join(root, path), 'utf8')) && /^(lib|app|server)/.test(path),
  )
  expect(mentions.filter((path) => path !== 'lib/architecture.test.ts').sort()).toEqual([
    'lib/operations/define.ts',
    'lib/operations/execute.ts',
  ])
})

test('pages and actions reach the database through operations only', () => {
  for (const path of sources.filter((path) => path.startsWith('app/')))
    for (const name of importsOf(path)) expect(/^db(\/|$)/.test(name), `${path} imports ${name}`).toBe(false)
})

/** What the command line reads of the database itself: whose something is, to act for them, and the state of the database. */
const READ_BY_CLI = [
  'deliveryContractor',
  'findContractor',
  'findLiveKey',
  'findPerson',
  'keyContractor',
  'loadedJurisdiction',
  'migrationLevel',
]

test('the command line writes through operations only', () => {
  const used = sources
    .filter((path) => path.startsWith('lib/cli/'))
    .flatMap((path) => [
      ...readFileSync(join(root, path), 'utf8').matchAll(/^import \{([^}]+)\} from '@\/db\/queries\/[^']+'/gm),
    ])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '))
  expect([...new Set(used)].sort()).toEqual(READ_BY_CLI)
  for (const path of sources.filter((path) => path.startsWith('lib/cli/')))
    for (const name of importsOf(path))
      expect(
        /^lib\/auth\/(manage-keys|people\/(create-person|join|members))$/.test(name),
        `${path} imports ${name}`,
      ).toBe(path === 'lib/cli/commands/keys.ts' && name === 'lib/auth/manage-keys')
})

test('validation errors are sentences: only the shared mapper converts the errors of a parse', () => {
  const own = sources.filter((path) => /^(lib|app)\//.test(path) && !path.includes('.test.'))
  const raw = own.filter((path) => /error\.issues/.test(readFileSync(join(root, path), 'utf8')))
  // One names parameters of a protocol's method, with a message of its own at every field; one takes the first fault of one field.
  expect(raw.sort()).toEqual(['lib/core/faults.ts', 'lib/leads/read.ts', 'lib/mcp/methods.ts'])
})
