import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { documented } from '@/lib/http/openapi/operation'
import { isResourceName } from './core/resource-names'
import { INGEST, MAIL, UPLOAD } from './core/uploads'
import { servedPath } from './http/rest/served'
import { documents } from './mcp/documents/endpoints'
import { siteDocuments } from './site/endpoints'
import { codeFiles, sourceFiles } from './testing/sources'

const root = resolve(import.meta.dirname, '..')

const sources = sourceFiles()

/** The modules a file imports, also for types alone: ours as paths from the root, packages by name. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => {
    if (name.startsWith('@/')) return name.slice(2)
    return name.startsWith('.') ? relative(root, resolve(root, dirname(path), name)) : name
  })
}

const inRoom = (path: string, room: string) => path === room || path.startsWith(`${room}/`)

/**
 * The rooms, and what each may import of ours beside itself. A folder within a room that others need more widely than the room stands
 * before it; the first that matches a file counts.
 */
const ROOMS: [room: string, imports: string[]][] = [
  ['lib/core', []],
  ['lib/jobs', ['db', 'lib/core']],
  ['lib/limits', ['lib/core']],
  ['lib/resources', ['lib/auth/scopes', 'db', 'lib/core']],
  ['lib/auth', ['lib/limits', 'db', 'lib/core']],
  ['lib/leads', ['lib/resources', 'lib/auth/keys', 'db', 'lib/core']],
  [
    'lib/load',
    ['lib/knowledge/materials/units', 'lib/knowledge/permits/street', 'lib/resources', 'db', 'lib/jobs', 'lib/core'],
  ],
  // The pages of docs/, which search and agents read too.
  ['lib/guides', ['lib/core']],
  ['lib/knowledge', ['lib/guides', 'db', 'lib/jobs', 'lib/core']],
  ['lib/sync', ['lib/resources', 'lib/limits', 'db', 'lib/jobs', 'lib/core']],
  // What is read from other software goes through the loader, so that it is checked, numbered and told of as a file's rows are.
  [
    'lib/connectors',
    ['lib/load', 'lib/sync/webhooks/after-write', 'lib/resources', 'lib/auth', 'db', 'lib/jobs', 'lib/core'],
  ],
  // What does the work that runs by the clock, and by cron: of every room that has some.
  [
    'lib/operations/background',
    [
      'lib/operations/sources',
      'lib/operations/status',
      'lib/connectors',
      'lib/knowledge',
      'lib/maintenance',
      'lib/notify',
      'lib/load',
      'lib/sync',
      'lib/jobs',
      'db',
      'lib/core',
    ],
  ],
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
      'lib/jobs',
      'lib/core',
    ],
  ],
  ['lib/maintenance', ['db', 'lib/jobs', 'lib/core']],
  // Messages that leave: alerts now, invitations and resets with them. Operations queue them, a timer and the scheduler's route send them.
  ['lib/notify', ['lib/auth/people/mailed-links', 'db', 'lib/jobs', 'lib/core']],
  ['lib/telemetry', ['lib/resources', 'lib/limits', 'db', 'lib/jobs', 'lib/core']],
  ['lib/http/rest', ['lib/http', 'lib/operations', 'lib/auth', 'lib/core']],
  ['lib/http/openapi', ['lib/operations', 'lib/resources', 'lib/core']],
  ['lib/http/internal.ts', ['lib/http', 'lib/operations/background', 'lib/jobs', 'lib/core']],
  ['lib/http/connectors.ts', ['lib/http', 'lib/connectors', 'lib/core']],
  ['lib/http/metrics.ts', ['lib/http', 'lib/telemetry', 'lib/core']],
  ['lib/http', ['lib/telemetry', 'lib/auth', 'lib/limits', 'lib/core']],
  // What runs in clients that render views, beside types of what it draws.
  ['lib/mcp/views', ['lib/operations', 'lib/core']],
  [
    'lib/mcp',
    [
      'lib/guides',
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
  ['lib/site', ['lib/guides', 'lib/mcp', 'lib/http', 'lib/core']],
  [
    'lib/cli',
    ['lib/maintenance', 'lib/operations', 'lib/leads', 'lib/knowledge', 'lib/load', 'lib/auth', 'db', 'lib/core'],
  ],
  ['lib/portal', ['lib/core']],
  ['lib/server/workers', ['lib/telemetry', 'lib/core']],
  ['lib/server/deployment', ['db', 'lib/core']],
  ['lib/server', ['lib', 'db', 'patches']],
  ['app/ui', ['app/links', 'app/query', 'lib/portal', 'lib/auth/roles', 'lib/core']],
  ['db', ['patches', 'lib/core']],
  ['patches', []],
]

/** The folder that REST alone mounts; agents have their own way in. */
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
          [room, ...allowed].some((other) => inRoom(name, other)) && !(room === 'lib/mcp' && inRoom(name, NOT_FOR_MCP)),
          `${path} imports ${name}`,
        ).toBe(true)
    }
  }
})

const code = codeFiles()

const named = new Map(code.flatMap((path) => [path, path.replace(/\.tsx?$/, '')].map((name) => [name, path] as const)))
/** The files of ours that each file imports. */
const graph = new Map(
  code.map((path) => [
    path,
    importsOf(path)
      .flatMap((name) => named.get(name) ?? [])
      .filter((other) => other !== path),
  ]),
)

test('no files import each other in a circle, types included', () => {
  const left = new Map(graph)
  // Files that import none of the others or that none of them imports are in no circle, and are taken away until only circles are left.
  for (let before = 0; before !== left.size; ) {
    before = left.size
    const imported = new Set([...left.values()].flat())
    for (const [path, names] of left)
      if (!imported.has(path) || !names.some((name) => left.has(name))) left.delete(path)
  }
  expect([...left].map(([path, names]) => `${path} imports ${names.filter((name) => left.has(name))}`)).toEqual([])
})

const [listed = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('## Walks')
/** The rooms as docs/architecture.md lists them from the top; those of one line do not import each other. */
const FLOORS = [...listed.matchAll(/^\| (`.+?) \|/gm)].map(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+?)\/?`/g)].map(([, room = '']) => room),
)

test('imports between rooms, types included, point down the list of docs/architecture.md', () => {
  const floorOf = (path: string) => FLOORS.findIndex((rooms) => rooms.some((room) => inRoom(path, room)))
  const roomAt = (path: string) => FLOORS.flat().find((room) => inRoom(path, room))
  expect(code.filter((path) => floorOf(path) < 0)).toEqual([])
  const up = [...graph].flatMap(([path, names]) =>
    names
      .filter((name) => roomAt(name) !== roomAt(path) && floorOf(name) <= floorOf(path))
      .map((name) => `${path} imports ${name}`),
  )
  expect(up).toEqual([])
})

test('only app, middleware and instrumentation import Next; only db, resources and patches import drivers and Drizzle', () => {
  for (const path of sources) {
    for (const name of importsOf(path)) {
      if (/^next(\/|$)/.test(name))
        expect(/^(app\/|middleware\.ts|instrumentation\.ts)/.test(path), `${path} imports ${name}`).toBe(true)
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

const routeFile = (path: string) => `app${path.replaceAll(/{(\w+)}/g, '[$1]')}/route.ts`
/**
 * Route files that stand in no document of the API: its JSON 404, the protocols of agents and of sign-in, what a scheduler, a collector or one sender
 * calls, and what only the portal’s own pages call.
 */
const INTERNAL_ROUTES = [
  'app/api/[...unknown]/route.ts',
  'app/api/internal/[job]/route.ts',
  'app/api/webhooks/mail/[token]/route.ts',
  'app/api/webhooks/quickbooks/route.ts',
  'app/changelog.xml/route.ts',
  'app/developers/guides/source/[slug]/route.ts',
  'app/mcp/oauth/route.ts',
  'app/mcp/route.ts',
  'app/mcp/rpc/route.ts',
  'app/mcp/sse/route.ts',
  'app/metrics/route.ts',
  'app/oauth2/authorize/route.ts',
  'app/oauth2/jwks/route.ts',
  'app/oauth2/metadata/route.ts',
  'app/oauth2/register/route.ts',
  'app/oauth2/resource/api/route.ts',
  'app/oauth2/resource/mcp/route.ts',
  'app/oauth2/revoke/route.ts',
  'app/oauth2/token/route.ts',
  'app/(portal)/audit/export/route.ts',

  ...['[resource]', 'customers', 'projects', 'invoices', 'payments'].map(
    (name) => `app/(portal)/${name}/export/route.ts`,
  ),
  'app/(portal)/data/load/files/route.ts',
  'app/(portal)/data/load/refused/route.ts',
  'app/(portal)/data/load/run/route.ts',
  'app/(portal)/data/quickbooks/callback/route.ts',
  'app/(portal)/developers/first-request/route.ts',
  'app/(portal)/find/route.ts',
  'app/(portal)/logs/export/route.ts',
  'app/(portal)/logs/tail/route.ts',
  'app/(portal)/reports/[report]/export/route.ts',
  'app/(portal)/transactions/export/route.ts',
  'app/(portal)/sign-in/sso/[slug]/callback/route.ts',
  'app/(portal)/sign-in/sso/[slug]/start/route.ts',
]

/** The operations that the route files of all resources mount, by the path of one of them. */
const BY_RESOURCE = [
  ['/api/v1/{resource}', 'listOf'],
  ['/api/v1/{resource}/{id}', 'getOf'],
  ['/api/v1/{resource}/checksum', 'checksumOf'],
  ['/api/v1/export/{resource}', 'exportOf, 2'],
] as const

/** Returns what a path's route file must mount: the operation of each resource, or the one of the path alone. */
function mountedAt(path: string, operation: string): [file: string, mounts: string] {
  const segments = path.split('/').map((segment) => (isResourceName(segment) ? '{resource}' : segment))
  const found = BY_RESOURCE.find(([template]) => template === segments.join('/'))
  return found ? [routeFile(found[0]), `routeByResource(${found[1]})`] : [routeFile(path), operation]
}

test('the route file of a path mounts its operation', () => {
  for (const operation of documented()) {
    const constant = operation.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const [file, mounts] = mountedAt(servedPath(operation), constant)
    // A path with several methods mounts several.
    const [, mounted = ''] = / = (.+)\n$/.exec(readFileSync(join(root, file), 'utf8')) ?? []
    expect(mounted, file).toContain(mounts)
  }
})

test('every route file is of a documented operation, of a public document, or on the list of the others', () => {
  const ofOperations = documented().map((operation) => mountedAt(servedPath(operation), '')[0])
  const ofDocuments = [...Object.values(documents), ...Object.values(siteDocuments)].map(({ path }) => routeFile(path))
  const there = sources.filter((path) => path.startsWith('app/') && path.endsWith('/route.ts'))
  expect(there.sort()).toEqual([...new Set([...ofOperations, ...ofDocuments, ...INTERNAL_ROUTES])].sort())
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

/** The queries that the command line reads of the database itself: whose something is, to act for them, and the state of the database. */
const READ_BY_CLI = [
  'deliveryContractor',
  'findContractor',
  'findLiveKey',
  'findPerson',
  'keyContractor',
  'loadedJurisdiction',
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
