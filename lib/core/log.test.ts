import { spawnSync } from 'node:child_process'
import { DrizzleQueryError } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { collectLog } from '@/lib/testing/log'
import { OperatorError } from './errors'
import { log, logFault, makeLogger, readable, replaceLogger } from './log'
import { safeFault, safeText } from './log-safe'

let ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends) end()
  ends = []
})
function collecting(...args: Parameters<typeof collectLog>) {
  const log = collectLog(...args)
  ends.push(log.end)
  return log
}

const KEY = 'plb_live_0123456789abcdefghijklmnopqrstuvwxyz'
const PLANTED = [KEY, 'hunter2-hunter2', 'ana@example.com', 'Ana wrote this', 'c2VjcmV0OnBhc3M=']

test('an error for the operator is its sentence, wherever it is logged', () => {
  const error = new OperatorError('Set DATABASE_URL.', { cause: new Error('refused') })
  expect(safeFault(error)).toEqual({ class: 'OperatorError', message: 'Set DATABASE_URL.' })
})

test('an event is one line of JSON with level, time, message, request id and operation', () => {
  const { text, lines } = collecting()
  log('info', { requestId: 'req_1', operation: 'list_\ninvoices' }, 'done\nwith {"level":"fatal"}')
  expect(text().split('\n')).toHaveLength(2)
  expect(lines()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      requestId: 'req_1',
      operation: 'list_ invoices',
      message: 'done\nwith {"level":"fatal"}',
    },
  ])
})

test.each([
  ['a key of ours', new Error(`key ${KEY} was refused`)],
  ['a key in a URL', new Error(`GET /x?key=${encodeURIComponent(KEY)} failed`)],
  ['headers', new Error(`headers: {"x-api-key": "${PLANTED[1]}", 'authorization': 'Basic ${PLANTED[4]}'}`)],
  ['a bearer', new Error(`sent Authorization: Bearer ${PLANTED[1]}`)],
  ['a password in an address', new Error(`connect postgres://plumbline:${PLANTED[1]}@db.example/x failed`)],
  ['named values', new Error(`password=${PLANTED[1]} BETTER_AUTH_SECRET: ${PLANTED[1]} access_token="${PLANTED[1]}"`)],
  ['an address of a person', new Error('no user ana@example.com')],
  ['a statement’s values', new DrizzleQueryError('select $1', [PLANTED[3], PLANTED[1]], new Error(`at ${KEY}`))],
  ['a body that is no JSON', caught(() => JSON.parse(`{"name": Ana wrote this`))],
  ['a datum', databaseError('22P02', 'invalid input syntax for type uuid: "Ana wrote this"')],
  [
    'a row',
    databaseError('23505', 'duplicate key value', { detail: 'Key (email)=(ana@example.com) exists: Ana wrote this' }),
  ],
  ['a cause', new Error('outer', { cause: new Error(`inner ${KEY}`, { cause: new Error(`innermost ${KEY}`) }) })],
  ['no error at all', `thrown: ${KEY}`],
])('nothing of %s is logged', (_, fault) => {
  const { text, lines } = collecting()
  logFault({ operation: 'start' }, fault)
  for (const secret of PLANTED) expect(text()).not.toContain(secret)
  expect(lines()[0].error.class).toMatch(/^\w+$/)
})

function caught(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

function databaseError(code: string, message: string, more: object = {}): Error {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code, ...more })
}

test('a database error keeps its class, code, table, constraint and stack', () => {
  const { lines } = collecting()
  const constraint = 'api_keys_hash_unique'
  const cause = databaseError('23505', `duplicate key value violates unique constraint "${constraint}"`, {
    table: 'api_keys',
    constraint,
  })
  logFault({ requestId: 'req_1' }, new DrizzleQueryError('insert into "api_keys" values ($1)', ['x'], cause))
  expect(lines()).toMatchObject([
    {
      message: 'Failed query: insert into "api_keys" values ($1)',
      error: {
        class: 'DrizzleQueryError',
        cause: { class: 'DatabaseError', code: '23505', table: 'api_keys', constraint },
      },
    },
  ])
  expect(lines()[0].error.stack[0]).toMatch(/^at .*log\.test\.ts/)
})

test('no field of one line appears in the next', () => {
  const written: string[] = []
  const context = { worker: 1 }
  ends.push(replaceLogger(makeLogger('info', { write: (line) => written.push(line) }, () => context)))
  log('info', { requestId: 'req_1' }, 'first')
  log('info', { operation: 'start' }, 'second')
  expect(written.map((line) => Object.keys(JSON.parse(line)))).toEqual([
    ['level', 'time', 'worker', 'requestId', 'message'],
    ['level', 'time', 'worker', 'operation', 'message'],
  ])
})

test('any text becomes one line of limited length', () => {
  expect(safeText('a\r\nb\u001b[31m\u2028c\0')).toBe('a b [31m c ')
  expect(safeText('x'.repeat(10_000))).toHaveLength(500)
})

test('email addresses are removed; packages and positions in a stack stay', () => {
  for (const stays of [
    'at x (/srv/node_modules/@better-auth/core/dist/index.mjs:3:9)',
    'at y (C:\\app\\node_modules\\@scope\\package.name\\index.js:3:9)',
    'at z (/srv/node_modules/.pnpm/better-auth@1.7.7/node_modules/better-auth/index.js:1:1)',
  ])
    expect(safeText(stays)).toBe(stays)
  for (const [text, left] of [
    ['to ana.lopez+roof@mail.example.com.', 'to [removed].'],
    ['<ana@example.co.uk>', '<[removed]>'],
    ['path/ana@example.com', 'path/[removed]'],
    ['josé@münchen.example', '[removed]'],
  ])
    expect(safeText(text ?? '')).toBe(left)
})

test('events below the level are not written', () => {
  const { text } = collecting('error')
  log('info', {}, 'not this')
  expect(text()).toBe('')
})

test('at a terminal an event is a readable line with the stack below it', () => {
  const { text } = collecting()
  logFault({ requestId: 'req_1', operation: 'start' }, new Error('broken'))
  expect(readable(text())).toMatch(/^\d\d:\d\d:\d\d error start req_1: broken\n {4}at /)
})

/** Runs a process with the real log and a real pipe, and ends it by an error. */
function run(body: string, env: Record<string, string> = {}) {
  const script = `import { log, logFault } from './lib/core/log'\n${body}`
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, lines: stderr.trim().split('\n') }
}

test('the last lines before the process ends are written, on exit and on an uncaught error', () => {
  const many = `for (let i = 0; i < 20000; i++) log('info', { i }, 'line');`
  const ended = run(`${many} process.exit(3)`)
  expect([ended.status, ended.lines.length]).toEqual([3, 20_000])
  expect(JSON.parse(ended.lines.at(-1) ?? '')).toMatchObject({ i: 19_999 })
  const fallen = run(`${many} setTimeout(() => { throw new Error('fallen') })`)
  expect(fallen.status).not.toBe(0)
  expect(fallen.lines.filter((line) => line.startsWith('{'))).toHaveLength(20_000)
}, 30_000)

test('LOG_LEVEL=silent writes nothing, and a setting that cannot be read does not silence the log', () => {
  expect(run(`logFault({}, new Error('x'))`, { LOG_LEVEL: 'silent' }).lines).toEqual([''])
  expect(run(`logFault({}, new Error('x'))`, { LOG_LEVEL: 'loud' }).lines).toHaveLength(1)
}, 30_000)
