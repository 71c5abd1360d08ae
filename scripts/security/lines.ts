/** A test that shows a line: its file, a pattern for its full name, and whether it runs with `npm run test:all` only. */
export type Shown = readonly [file: string, name: RegExp, apart?: 'apart']

/** A security promise: the promise, the tests that show it, and what no test can show. */
export interface Line {
  line: string
  promise: string
  shownBy: readonly Shown[]
  beside?: string
}

const API = 'e2e/api.spec.ts'
const RAW = 'e2e/front.spec.ts'
const DATA = 'lib/http/rest/data-api.db.test.ts'
const LEADS = 'lib/http/rest/leads.db.test.ts'
const MCP = 'lib/mcp/mcp.db.test.ts'
const TOOLS = 'lib/mcp/tools.db.test.ts'

/** The list of what the service must withstand from anyone: who gets in, what leaves, and how requests are parsed. */
const STANDING: readonly Line[] = [
  {
    line: 'Keys 1',
    promise: 'Every handler checks the key itself; the middleware is not needed for it',
    shownBy: [
      [DATA, /missing, malformed, unknown, revoked and expired keys get the same 401/],
      ['lib/server/key-gate.db.test.ts', /the same with and without the gate/],
      [LEADS, /401 without a key/],
      [MCP, /401 as ErrorResponse without a good key/],
    ],
  },
  {
    line: 'Keys 2',
    promise: 'Forged framework headers and misspelled paths never yield data',
    shownBy: [
      [API, /a forged /],
      [API, /doubled slashes never yield data/],
      [API, /in disguise|another suffix|a semicolon|capitals|an id with bytes/],
      ['lib/http/hosts.test.ts', /is no spelling of an API path/],
    ],
  },
  {
    line: 'Keys 3',
    promise: 'Missing, malformed, unknown, revoked and expired keys get the same answer',
    shownBy: [
      [DATA, /missing, malformed, unknown, revoked and expired keys get the same 401/],
      ['e2e/mcp-gate.spec.ts', /401 is an ErrorResponse, whichever way the key is no good/],
    ],
    beside: 'Timing: every key is looked up by its SHA-256; a time is measured, never asserted.',
  },
  {
    line: 'Keys 4',
    promise: 'Only hashes are stored; no key in a URL, log line, error or page',
    shownBy: [
      [DATA, /only hashes are stored/],
      ['lib/core/log.test.ts', /nothing of .* is logged/],
      ['lib/telemetry/request-log.db.test.ts', /no secret is in any row/],
      ['e2e/portal-keys.spec.ts', /the secret is nowhere after/],
      ['e2e/tracing.spec.ts', /nothing secret is told/],
    ],
  },
  {
    line: 'Keys 5',
    promise:
      'A secret URL sends to one lead source only; where a sender’s secret is set, a body without its signature is refused',
    shownBy: [
      ['lib/operations/lead-urls.db.test.ts', /a URL sends to the source it was made for/],
      ['lib/operations/lead-secrets.db.test.ts', /only what is signed with it, over the bytes as sent/],
      ['lib/operations/lead-secrets.db.test.ts', /the app secret checks the signature/],
    ],
  },
  {
    line: 'Tenants 1',
    promise: 'Two contractors, every endpoint, tool, token, session and search: nothing of the other leaves',
    shownBy: [
      [DATA, /another contractor’s canary is never returned/],
      [DATA, /a contractorId that is not the key’s is 403/],
      [TOOLS, /another contractor’s canary never leaves/],
      ['lib/knowledge/retrieval/search-readers.db.test.ts', /canaries/],
      ['lib/operations/other-contractor.db.test.ts', /changes nothing/],
      ['db/fence.db.test.ts', /./],
      ['e2e/mcp-sessions.spec.ts', /another key, of this contractor or of another: 403/],
      ['e2e/portal-logs.spec.ts', /a contractor sees no row of another/],
      ['e2e/portal-keys-access.spec.ts', /an administrator of one contractor cannot touch a key of another/],
      ['e2e/portal-data.spec.ts', /roles and tenants/],
    ],
  },
  {
    line: 'Tenants 2',
    promise: 'Every operation is refused without its scope, every page without its role',
    shownBy: [
      [DATA, /403 when the key lacks the scope/],
      [TOOLS, /forbidden without any of its scopes/],
      ['lib/operations/access.test.ts', /by /],
      ['e2e/portal-leads.spec.ts', /who is not signed in, a viewer, a developer/],
      ['e2e/portal-keys-access.spec.ts', /who is no administrator gets 403/],
    ],
  },
  {
    line: 'Tenants 3',
    promise: 'Only documented fields leave; fields injected into a lead are ignored',
    shownBy: [
      [DATA, /exactly the documented fields/],
      ['lib/http/rest/route.test.ts', /only named fields are returned/],
      [LEADS, /injected id, contractorId, status and jobNumber change nothing/],
    ],
  },
  {
    line: 'Tenants 4',
    promise: 'A page token works for its key, contractor, endpoint and filter only, bit by bit',
    shownBy: [['lib/operations/list-page.test.ts', /./]],
  },
  {
    line: 'Limits 1',
    promise: 'Forged addresses do not raise a limit; IPv6 counts by /64; guessing keys counts',
    shownBy: [
      ['e2e/limits.spec.ts', /forged addresses do not help/],
      ['lib/http/address.test.ts', /./],
      ['lib/limits/address-subject.test.ts', /./],
      [DATA, /guessing keys is counted too/],
      ['lib/http/rest/leads-limit.db.test.ts', /guessing is limited/],
    ],
  },
  {
    line: 'Requests 1',
    promise: 'Hosts are on a list; each face answers on its own host only',
    shownBy: [
      ['e2e/documents.spec.ts', /with named hosts, an unknown one gets health/],
      ['lib/http/hosts.test.ts', /an unknown host is refused|data paths do not answer on the MCP host/],
    ],
  },
  {
    line: 'Requests 2',
    promise: 'MCP: foreign and null origins are refused; a session’s id alone opens nothing',
    shownBy: [
      ['e2e/mcp-gate.spec.ts', /Origin: none, our own/],
      [MCP, /401 as ErrorResponse without a good key, also with a session’s id alone/],
    ],
  },
  {
    line: 'Requests 3',
    promise: 'Tool arguments are strict; no tool fetches an address a caller gave',
    shownBy: [
      ['lib/mcp/tools.test.ts', /arguments nobody knows are refused/],
      ['lib/mcp/resources.test.ts', /nothing is read/],
    ],
    beside: 'No operation has an address to fetch among its inputs.',
  },
  {
    line: 'Requests 4',
    promise: 'Text of strangers is data: marked, cleaned, shown as text',
    shownBy: [
      ['lib/core/clean.test.ts', /./],
      [MCP, /strangers’ text leaves clean and marked/],
      ['e2e/console.spec.ts', /the console shows what strangers wrote as text/],
      ['e2e/portal-data.spec.ts', /names of strangers are text/],
    ],
  },
  {
    line: 'Requests 5',
    promise: 'SQL takes values as parameters; raw SQL is made of words of ours',
    shownBy: [['db/raw-sql.test.ts', /./]],
    beside: 'sqlmap tries it from outside: npm run test:security -- --tools.',
  },
  {
    line: 'Requests 6',
    promise: 'Odd JSON is 400: depth, __proto__, names twice, endless numbers, NUL, half surrogates',
    shownBy: [
      ['lib/core/json.test.ts', /is refused/],
      [LEADS, /400 for /],
      [LEADS, /any JSON at all gets a documented status/],
    ],
  },
  {
    line: 'Requests 7',
    promise: 'Methods: 405 with Allow, HEAD like GET, no override, TRACE and CONNECT refused',
    shownBy: [
      [API, /is 405|a list by HEAD/],
      [RAW, /TRACE|CONNECT/],
      ['lib/http/rest/route.test.ts', /other methods are 405 with Allow/],
    ],
  },
  {
    line: 'Pages 1',
    promise: 'Pages run no script without their nonce, and set no cookie that scripts can read',
    shownBy: [
      ['e2e/look.spec.ts', /every page has its policy and its own nonce/],
      ['lib/http/page-policy.test.ts', /no script without the nonce/],
      ['e2e/portal-people.spec.ts', /no cookie for scripts/],
    ],
  },
  {
    line: 'Pages 2',
    promise: 'A form that another site sends changes nothing',
    shownBy: [
      ['e2e/portal-people.spec.ts', /a form that another site sends changes nothing/],
      ['e2e/portal-leads.spec.ts', /a form sent from another site is refused/],
      ['e2e/portal-keys-access.spec.ts', /nor can another site/],
    ],
  },
  {
    line: 'Pages 3',
    promise: 'Sign-ins, key events and refusals are written down, without secrets',
    shownBy: [
      ['lib/auth/people/people.db.test.ts', /written down/],
      ['lib/auth/people/passkeys.db.test.ts', /written down/],
      ['lib/http/rest/key-terms.db.test.ts', /all is in the audit log/],
    ],
  },
  {
    line: 'Routes 1',
    promise: 'Every route file stands in a document or in the one list of internal routes',
    shownBy: [
      ['lib/architecture.test.ts', /every route file is of a documented operation/],
      ['lib/http/internal.test.ts', /internal routes are in no document/],
    ],
  },
]

/** Weaknesses that an attack found, and what keeps them closed. */
const ATTACKS: readonly Line[] = [
  {
    line: 'Takeover 1',
    promise:
      'An address proves nothing until its owner opened a link; nobody gains a contractor without their acceptance',
    shownBy: [['lib/auth/people/addresses.db.test.ts', /./]],
  },
  {
    line: 'Takeover 2',
    promise:
      'Invitations, explorer keys and sessions end with the right that made them; a reset ends every way in; a code works once',
    shownBy: [
      ['lib/auth/people/rights-end.db.test.ts', /./],
      ['lib/auth/people/explorer-key.db.test.ts', /it ends with its holder’s access/],
    ],
  },
  {
    line: 'Takeover 3',
    promise:
      'What outlives a session asks for a fresh proof, tells the administrators, and is shown before its maker leaves',
    shownBy: [
      ['lib/operations/proof.test.ts', /./],
      ['lib/operations/lasting.db.test.ts', /./],
      ['lib/auth/people/confirm.db.test.ts', /./],
      ['lib/http/oauth/oauth.db.test.ts', /has not proven lately/],
      ['e2e/confirm.spec.ts', /./],
    ],
  },
  {
    line: 'Takeover 4',
    promise:
      'A provider’s second account with a linked address is refused; no email names a place that only its own provider made',
    shownBy: [
      ['lib/auth/sso/sso.db.test.ts', /another subject with an address that is linked already/],
      ['lib/auth/sso/sso.db.test.ts', /an email names no place/],
    ],
  },
  {
    line: 'Memory 1',
    promise: 'Bytes of a body are counted on every path, bodies and their sum are capped, slow ones are cut',
    shownBy: [
      ['lib/server/front.test.ts', /chunked body without end is 413|429 with Retry-After|arrives too slowly is 408/],
      [RAW, /a chunked body without end/],
      [RAW, /250 chunked bodies without end on a page/],
    ],
  },
  {
    line: 'Memory 2',
    promise: 'MCP sessions keep a client’s name and nothing else, and are capped per key',
    shownBy: [['lib/mcp/sessions.db.test.ts', /./]],
  },
  {
    line: 'Block 1',
    promise: 'No input up to its cap holds the event loop longer than 50 ms',
    shownBy: [
      ['lib/worst-case.test.ts', /./, 'apart'],
      ['lib/patterns.test.ts', /./],
      ['lib/load/csv.test.ts', /no other request waits longer than 50 ms/],
    ],
  },
  {
    line: 'Block 2',
    promise: 'Documents are read in a thread with a budget',
    shownBy: [['lib/knowledge/retrieval/readers/readers.test.ts', /is refused with its reason/]],
    beside: 'That their time grows with their length only is shown by `npm run test:all`.',
  },
  {
    line: 'Block 3',
    promise: 'Work is sliced by time and not by rows, whatever a row costs; a stop ends it, and nothing of it is kept',
    shownBy: [
      ['lib/core/slices.test.ts', /./],
      ['lib/load/join/survey.test.ts', /./],
      ['lib/load/load-stop.db.test.ts', /./],
    ],
  },
  {
    line: 'Load 1',
    promise: 'Each contractor’s load reads a few rows for each it writes, whatever the statistics say',
    shownBy: [['lib/load/plans.db.test.ts', /./, 'apart']],
  },
  {
    line: 'Load 2',
    promise: 'One process at a time has a data directory; a lock dies with its process',
    shownBy: [['db/drivers/lock.test.ts', /./]],
    beside: 'A thousand starts at once: npm run test:faults -- lock.',
  },
  {
    line: 'Load 3',
    promise: 'A clock set back loses no row of a delta sync',
    shownBy: [['db/queries/clock.db.test.ts', /./]],
  },
  {
    line: 'Load 4',
    promise:
      'Work that ended its process counts as failed when it is found open; the third time in a row it is set aside',
    shownBy: [
      ['db/queries/work-in-hand.db.test.ts', /./],
      ['lib/operations/sources/killed.db.test.ts', /ends its process three times/, 'apart'],
      ['lib/server/left-open.db.test.ts', /./],
    ],
  },
  {
    line: 'Share 1',
    promise: 'Sign-in hashes two passwords at a time; strangers’ guesses keep nobody out',
    shownBy: [
      ['lib/auth/people/sign-in-limits.db.test.ts', /./],
      ['lib/limits/turns.test.ts', /./],
    ],
  },
  {
    line: 'Share 2',
    promise: 'Pages for everyone are kept; other pages wait for their turn behind the API',
    shownBy: [
      ['lib/server/pages.test.ts', /./],
      ['lib/server/render-gate.test.ts', /./],
    ],
  },
  {
    line: 'Words 1',
    promise: 'What strangers wrote does nothing to a terminal',
    shownBy: [['lib/cli/terminal.db.test.ts', /./]],
  },
  {
    line: 'Rest 1',
    promise: 'Uploads that a kill left are removed; a full disk is said',
    shownBy: [
      ['lib/load/receive.test.ts', /files left by a killed process are deleted/],
      ['lib/core/disk.test.ts', /./],
      ['lib/operations/health.test.ts', /while the disk is full/],
    ],
  },
  {
    line: 'Line 27',
    promise:
      'Every pattern of the product takes time that grows with its text only, and text is cut before it is matched',
    shownBy: [
      ['lib/patterns.test.ts', /./],
      ['lib/core/header.test.ts', /cut/],
      [
        'lib/worst-case.test.ts',
        /headers that are lists|the name of a lead’s field|secrets in a lead|a shared link|number formats|names and addresses/,
        'apart',
      ],
    ],
  },
  {
    line: 'Line 29',
    promise: 'A limit counts what costs: each lead of a body of many, all of them or none',
    shownBy: [
      ['lib/http/rest/leads-limit.db.test.ts', /each lead of a body counts|58 bodies of many leads|runs again counts/],
      ['lib/leads/sources/senders.test.ts', /more than a sender may put into one/],
      ['lib/leads/batch.test.ts', /of long bodies fewer/],
    ],
    beside: 'Files are put one in a request and one at a time for each contractor; batches of JSON-RPC are refused.',
  },
  {
    line: 'Line 30',
    promise:
      'Files are compressed once, by the build; each address has a limit on every public path and a bounded number of open answers; readers that take nothing are cut',
    shownBy: [
      ['lib/server/static-files.test.ts', /./],
      ['lib/server/public-limits.test.ts', /./],
      ['lib/server/open-answers.test.ts', /./],
      ['lib/server/send.test.ts', /a reader that/],
      ['e2e/readers.spec.ts', /./],
    ],
  },
  {
    line: 'Line 31',
    promise: 'What the bundler makes is run as built, with one file of each kind that loads',
    shownBy: [['e2e/file-kinds.spec.ts', /./]],
    beside:
      'The build ends with an error where our code loads a CommonJS package by import(), whose names bundling loses.',
  },
  {
    line: 'Line 32',
    promise: 'The authorization server sends nobody to an address of a program that the person has not approved',
    shownBy: [
      ['lib/http/oauth/open-redirect.db.test.ts', /./],
      ['lib/http/oauth/attacks.db.test.ts', /open redirect/],
      ['lib/auth/oauth/client-document.db.test.ts', /said to its client only by a person who connected it/],
    ],
  },
  {
    line: 'Line 33',
    promise: 'What leaves for an address that somebody entered goes to the public internet only, in whatever spelling',
    shownBy: [
      ['lib/core/public-address.test.ts', /./],
      ['lib/core/public-request.test.ts', /./],
      ['lib/core/outgoing.test.ts', /./],
    ],
  },
  {
    line: 'Line 34',
    promise:
      'What a stranger’s key, workbook, archive, document or server tells a library to do is checked first, or done in a thread with a time limit',
    shownBy: [
      ['lib/load/fetch/private-key.test.ts', /./],
      ['lib/operations/sources/places.db.test.ts', /asks for too much work|names the group/],
      ['lib/load/tables/xlsx.test.ts', /inflates to far more|of many sheets/],
      ['lib/knowledge/retrieval/readers/readers.test.ts', /is refused with its reason/],
      ['lib/http/rest/loads.db.test.ts', /gzip/],
    ],
  },
  {
    line: 'Line 36',
    promise:
      'Whoever last set where data goes is known; their leaving pauses it, and somebody who may has to resume it',
    shownBy: [['lib/sync/webhooks/vouchers.db.test.ts', /./]],
  },
  {
    line: 'Line 37',
    promise: 'Shared places are taken in turns by tenant: one’s slow receivers, servers or readers hold its share only',
    shownBy: [
      ['lib/sync/webhooks/webhooks.db.test.ts', /hold its own places only/],
      ['lib/sync/waiters.test.ts', /hold its share of the places/],
      ['lib/notify/notify.db.test.ts', /contractors have turns/],
      ['lib/jobs/every.test.ts', /keeps no other loop of the name/],
    ],
  },
]

/** The lines, in the order of the table. */
export const LINES: readonly Line[] = [...STANDING, ...ATTACKS]
