import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { highlight } from '@/app/ui/highlight'
import { parseRange } from '@/lib/auth/address-ranges'
import { presentedKey } from '@/lib/auth/presented-key'
import { cleanAnswer, cleanText, isCleanJson } from '@/lib/core/clean'
import { parseEmail, parsePhone, parseState, parseZip } from '@/lib/core/contact'
import { mediaTypeOf } from '@/lib/core/header'
import { parseJsonObject } from '@/lib/core/json'
import { safeFault, safeText } from '@/lib/core/log-safe'
import { parseDay, parseInstant } from '@/lib/core/time'
import { asksForHtml, preferredOf, prefersJson } from '@/lib/http/accept'
import { takesGzip } from '@/lib/http/compress'
import { isHeld } from '@/lib/http/etag'
import { hostName, isMisspelledApiPath } from '@/lib/http/hosts'
import { searchItems } from '@/lib/knowledge/materials/search'
import { recognize } from '@/lib/knowledge/permits/recognize/recognize'
import { companyKey, streetCandidates, streetKey, streetParts } from '@/lib/knowledge/permits/street'
import { readQuery } from '@/lib/knowledge/retrieval/search'
import { snippetOf } from '@/lib/knowledge/retrieval/snippet'
import { categorize } from '@/lib/leads/category'
import { splitName, withoutTitles } from '@/lib/leads/names'
import { INBOUND, readDelivery, readSubmission } from '@/lib/leads/read'
import { withoutSecrets } from '@/lib/leads/redact'
import { isPage } from '@/lib/load/fetch/link'
import { nameIn } from '@/lib/load/identity'
import { addressParts } from '@/lib/load/join/fills'
import { showsDate } from '@/lib/load/tables/workbook'
import { pathOf } from '@/lib/telemetry/record'
import { LONGEST_BLOCK_MS, longestBlock } from '@/lib/testing/blocks'
import { parseMoney } from './core/money'
import { shorten } from './mcp/call-tool'
import { readPageToken } from './operations/list-page'

/** Pieces that make patterns look twice: what they repeat, end on, or look back from. */
const PIECES = [
  ...' \t\n\r,.;:@-_/\\"\'`()[]{}<>=&%+*?!#|~^$0aA\u00e9\u0301\u202e\ufeff\u{1f600}'.split(/(?:)/u),
  ...[
    'a@',
    '@a.',
    'a.a',
    '1 ',
    ' 1',
    '1-',
    '(1',
    '+1',
    ' st',
    'N ',
    '# ',
    '""',
    '\\"',
    '\\u',
    '{"a":',
    '[[',
    'a=',
    '&a',
    '%2',
    '%%',
  ],
  ...[
    'plb_live_',
    'Basic ',
    'Bearer ',
    'a/b;q=',
    ',*/*',
    '://',
    'postgres://',
    'node_modules/',
    '@a/b',
    'at ',
    ' at a (',
    '\x1b[',
    '\x1b]',
    '\x90',
    '\x9b',
  ],
  ...[
    'St ',
    'Street ',
    'Suite ',
    'LLC',
    'N. ',
    ' - ',
    '..',
    '/./',
    '//',
    'http',
    'a-b-',
    'roof ',
    '<b>',
    '&amp;',
    '$1,',
    '1e',
    '00',
    'name="token"\r\n',
    ' (deleted 1',
    '\r\n\r\n',
  ],
]
const texts = (cap: number): string[] => [
  ...PIECES.map((piece) => piece.repeat(Math.ceil(cap / piece.length)).slice(0, cap)),
  ...PIECES.map((piece) => `a${piece.repeat(Math.ceil(cap / piece.length)).slice(0, cap - 2)}b`),
]

const LEAD = 64 * 1024
const HEADER = 16 * 1024
const MESSAGE = 1024 * 1024
const quiet = async (work: () => unknown) => {
  try {
    await work()
  } catch {
    // A refusal is an answer; only the time it takes counts here.
  }
}
/** Reads for each of several, such as sources: what one request does has a turn of the event loop to itself. */
async function each<T>(items: readonly T[], read: (item: T) => unknown): Promise<void> {
  for (const item of items) {
    await quiet(() => read(item))
    await setImmediate()
  }
}
const BOOK = Array.from({ length: 500 }, (_, i) => ({ item: `item_${i}`, name: `Ridge vent ${i}`, trade: 'roofing' }))
const named = (name: string, value: string) => JSON.stringify({ firstName: 'Ana', [name]: value })

/** Sources that read in ways of their own; all others read answers as `zapier` does. */
const KINDS = ['google-ads', 'thumbtack', 'angi', 'gravity-forms', 'zapier']

/** Returns as many fields as fit, each named and filled with pieces of the text. */
const fieldsOf = (text: string) => {
  const piece = text.slice(0, 8).toWellFormed()
  const most = Math.floor(LEAD / (2 * Buffer.byteLength(JSON.stringify(piece)) + 12))
  return JSON.stringify(Object.fromEntries(Array.from({ length: most }, (_, i) => [`${piece} ${i} phone`, piece])))
}

const READERS: [name: string, cap: number, read: (text: string) => unknown][] = [
  ['JSON of a lead', LEAD, (text) => parseJsonObject(text)],
  ['JSON of a message', MESSAGE, (text) => parseJsonObject(`{"a":${JSON.stringify(text.slice(0, MESSAGE / 2))}}`)],
  [
    'a lead’s fields',
    LEAD,
    (text) =>
      each(['firstName', 'email', 'phone', 'notes', 'address', 'leadSource'], (name) =>
        readSubmission(JSON.parse(named(name, text))),
      ),
  ],
  [
    'a lead as JSON by each kind of source',
    LEAD,
    (text) => each([INBOUND, ...KINDS], (name) => readDelivery(name, named('notes', text), 'application/json')),
  ],
  [
    'a lead as a form by each kind of source',
    LEAD,
    (text) => each(KINDS, (name) => readDelivery(name, text, 'application/x-www-form-urlencoded')),
  ],
  [
    'a lead as parts and as lines',
    LEAD,
    (text) =>
      each(
        [
          ['zapier', text, 'text/plain'],
          ['zapier', `--b\r\n${text}\r\n--b--\r\n`, 'multipart/form-data; boundary=b'],
          ['jotform', JSON.stringify({ submissionID: 1, pretty: text }), 'application/json'],
        ] as const,
        ([source, body, type]) => readDelivery(source, body, type),
      ),
  ],
  [
    'the name of a lead’s field',
    LEAD,
    (text) =>
      each(KINDS, (name) =>
        readDelivery(
          name,
          JSON.stringify({ [`${text.slice(0, 60_000)}b`]: 'Roof', phone: '6155550142' }),
          'application/json',
        ),
      ),
  ],
  [
    'a lead as XML, and the cells of a contact',
    LEAD,
    async (text) => {
      await each([`<a>${text}</a>`, `<${text}`, `<a ${text}="b">c</a>`], (xml) =>
        readDelivery('homeadvisor', xml, 'text/xml'),
      )
      await each(['name', 'email', 'phone', 'zip'], (name) =>
        readDelivery('zapier', JSON.stringify({ [name]: text, uri: text }), ''),
      )
      withoutTitles(text)
    },
  ],
  ['a lead of many fields', LEAD, (text) => readDelivery('zapier', fieldsOf(text), 'application/json')],
  ['secrets in a lead', LEAD, (text) => each([text, named('notes', text)], withoutSecrets)],
  ['a lead’s source', LEAD, (text) => categorize(text)],
  [
    'mail, phone, state, postal code',
    10_000,
    (text) => [parseEmail(text), parsePhone(text), parseState(text), parseZip(text)],
  ],
  ['amounts, days, moments', 10_000, (text) => [parseMoney(text), parseDay(text), parseInstant(text)]],
  [
    'streets and companies',
    10_000,
    (text) => [streetKey(text), streetParts(text), streetCandidates(text), companyKey(text)],
  ],
  ['kinds of work', 10_000, (text) => recognize({ description: text })],
  [
    'keys in headers',
    HEADER,
    (text) =>
      ['x-api-key', 'authorization'].map((name) => presentedKey({ get: (asked) => (asked === name ? text : null) })),
  ],
  [
    'headers that are lists',
    HEADER,
    (text) => [
      prefersJson(text),
      asksForHtml(text),
      preferredOf(text, [['csv', 'text/csv']]),
      takesGzip(text),
      takesGzip(`gzip${text}`),
      isHeld(text, '"a"'),
      mediaTypeOf(text),
    ],
  ],
  [
    'Host and paths',
    HEADER,
    (text) => [hostName(text), isMisspelledApiPath(`/${text}`), pathOf(`http://localhost/${text}`)],
  ],
  ['address ranges', 4_000, (text) => parseRange(text)],
  [
    'page tokens',
    HEADER,
    (text) =>
      readPageToken(
        ['a-secret-of-32-characters-for-tests'],
        text,
        { resource: 'x', contractorId: 'x', keyId: 'x', filters: {} },
        new Date(),
      ),
  ],
  ['what a shared link answers', 512, (text) => isPage(undefined, Buffer.from(text))],
  ['the type that a shared link names', HEADER, (text) => isPage(text, Buffer.alloc(0))],
  ['number formats of a workbook', 900_000, (text) => showsDate(text)],
  ['names and addresses in a file', 10_000, (text) => [nameIn(text), addressParts(text), splitName(text)]],
  ...(['shell', 'json', 'typescript', 'python', 'ruby', 'go'] as const).map((language): (typeof READERS)[number] => [
    `${language} on a page`,
    LEAD,
    (text) => highlight(text, language),
  ]),
  ['searches for text', 1_000, (text) => readQuery(text)],
  ['snippets of a chunk', 20_000, (text) => snippetOf(text, ['roof', 'a', text.slice(0, 40)])],
  ['searches for materials', 200, (text) => searchItems(BOOK as never, text)],
  [
    'text of an answer',
    100_000,
    (text) => [cleanText(text), isCleanJson(JSON.stringify(text)), cleanAnswer({ a: text })],
  ],
  [
    'answers too long for a model',
    100_000,
    (text) => shorten({ items: Array.from({ length: 50 }, () => ({ a: text.slice(0, 2_000) })) }),
  ],
  [
    'errors for the log',
    100_000,
    (text) => [safeText(text), safeFault(Object.assign(new Error(text), { stack: text }))],
  ],
]

test.each(READERS)(
  '%s: no input up to its cap holds the event loop longer than 50 ms',
  async (_, cap, read) => {
    const slow: string[] = []
    for (const text of texts(cap)) {
      const began = performance.now()
      await quiet(() => read(text))
      // Only what looked long is measured as it should be: by processor time, and the best of several runs.
      if (performance.now() - began < LONGEST_BLOCK_MS / 2) continue
      const block = await longestBlock(() => quiet(() => read(text)))
      if (block > LONGEST_BLOCK_MS) slow.push(`${JSON.stringify(text.slice(0, 30))}: ${Math.round(block)} ms`)
    }
    expect(slow).toEqual([])
  },
  120_000,
)
