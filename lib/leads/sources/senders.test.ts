import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseJsonObject } from '@/lib/core/json'
import { parseBody } from '../body'
import { readDelivery } from '../read'
import { leadsIn } from '../several'
import { detectSource, findSource, LEAD_SOURCES, sources } from './registry'

/** A body in a sender's form, and what a person who reads it would write down. */
type Case = {
  title: string
  contentType?: string
  body: unknown
  lead?: Record<string, string>
  service?: string
  category?: string
  kind?: string
  announces?: string
  faults?: string[]
  /** True when nothing in the body shows whose form it is. */
  unmarked?: boolean
}

const FOLDER = join(import.meta.dirname, 'fixtures', 'senders')
const SENDERS = readdirSync(FOLDER).map((file) => file.replace('.json', ''))
const CASES = SENDERS.flatMap((source) => {
  const cases: Case[] = JSON.parse(readFileSync(join(FOLDER, `${source}.json`), 'utf8'))
  return cases.map(({ title, body, contentType = 'application/json', ...expected }) => ({
    source,
    title,
    contentType,
    text: typeof body === 'string' ? body : JSON.stringify(body),
    expected,
  }))
})

test('every source has bodies here or among the recorded ones', () => {
  const recorded = ['angi', 'thumbtack', 'google-ads']
  expect([...SENDERS, ...recorded].sort()).toEqual(sources.map(({ name }) => name).sort())
})

test.each(LEAD_SOURCES)('%s: docs/guides/leads.md says how to set it up', (name) => {
  expect(readFileSync('docs/guides/leads.md', 'utf8')).toContain(`\`${name}\``)
})

describe('each sender, as it sends', () => {
  test.each(CASES)('$source: $title', ({ source, contentType, text, expected }) => {
    const reading = readDelivery(source, text, contentType)
    const { lead, service, category, kind = 'lead', announces, faults } = expected
    if (announces !== undefined) {
      expect(reading).toMatchObject({ kind: 'refused', announces: expect.stringContaining(announces) })
    } else if (faults) {
      expect(reading).toMatchObject({ kind: 'refused', faults: faults.map((field) => ({ field })) })
    } else if (lead) {
      expect(reading).toMatchObject({ kind: 'lead', service, category: { category } })
      expect('lead' in reading && reading.lead).toEqual(lead)
    } else expect(reading.kind).toBe(kind)
  })

  const marked = CASES.filter(({ expected }) => !expected.faults && !expected.unmarked)
  test.each(marked)('$source is detected by its structure: $title', ({ source, contentType, text }) => {
    expect(detectSource(parseBody(text, contentType))?.name).toBe(source)
  })
})

test.each(CASES.filter(({ text }) => text.startsWith('{')))(
  '$source: $title: any value of any field is read without an exception',
  ({ source, text }) => {
    const body = parseJsonObject(text)
    for (const value of [1, 'x', [], [1], {}, { a: 1 }, [null], '\u0007', 'x'.repeat(5_000)]) {
      for (const field of Object.keys(body)) {
        const { kind } = readDelivery(source, JSON.stringify({ ...body, [field]: value }), null)
        expect(kind).toMatch(/lead|refused|test|ignored/)
      }
    }
  },
)

test('other names of a source give the same source, so that a lead is one lead by whichever name it is posted', () => {
  for (const name of ['facebook', 'instagram', 'ig']) expect(findSource(name)?.name).toBe('meta')
  expect(readDelivery('instagram', '{"id":"7","full_name":"Ana Lopez","email":"ana@example.com"}', null).source).toBe(
    'meta',
  )
})

describe('several leads in one body', () => {
  const inBody = (name: string, body: unknown) => {
    const source = findSource(name)
    if (!source) throw new Error(name)
    return leadsIn(source, { body: JSON.stringify(body), contentType: 'application/json' })
  }
  const many = <T>(count: number, one: T): T[] => Array(count).fill(one)
  const notice = { leadgen_id: '1', form_id: '2', page_id: '3', created_time: 4 }
  const page = (changes: object[]) => ({
    object: 'page',
    entry: changes.map((value) => ({ changes: [{ field: 'leadgen', value }] })),
  })

  test('an array is as many bodies, an array of one and an object are one', () => {
    expect(inBody('zapier', [{ a: 1 }, { b: 2 }])).toEqual(['{"a":1}', '{"b":2}'])
    expect(inBody('zapier', [{ a: 1 }])).toEqual(['[{"a":1}]'])
    expect(inBody('zapier', { a: 1 })).toEqual(['{"a":1}'])
    expect(inBody('meta', page(many(2, { field_data: [] })))).toEqual(many(2, '{"field_data":[]}'))
    expect(inBody('meta', many(3, page(many(2, { field_data: [] }))))).toHaveLength(6)
  })

  test('more than a sender may put into one are refused together, with what to do', () => {
    for (const { name, most = 1 } of sources) {
      expect(inBody(name, many(most, {}))).toHaveLength(most)
      expect(() => inBody(name, many(most + 1, {})), name).toThrow(
        most === 1 ? 'may send one in a request. Send' : `may send at most ${most} in a request. Send`,
      )
      // Of the 60 in a minute (specification 8), so that three bodies fit.
      expect(most, name).toBeLessThanOrEqual(20)
    }
  })

  test('notices hold no lead: however many one body has, they are kept as one delivery', () => {
    expect(inBody('meta', page(many(200, notice)))).toEqual([JSON.stringify(notice)])
    const event = { subscriptionType: 'contact.creation', objectId: 1 }
    expect(inBody('hubspot', many(100, event))).toEqual([JSON.stringify(event)])
    expect(() => inBody('hubspot', [...many(20, event), { properties: {} }])).toThrow('at most 20')
  })
})

describe('what attacks the reader', () => {
  const multipart = (parts: string) => `--b\r\n${parts}\r\n--b--\r\n`
  const TYPE = 'multipart/form-data; boundary=b'
  const part = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`

  test.each([
    [
      'ten thousand parts',
      multipart(Array(10_000).fill(part('a', '')).join('\r\n--b\r\n')),
      TYPE,
      'more than 1000 parts',
    ],
    ['a thousand fields and one', 'a=1&'.repeat(1_000), 'application/x-www-form-urlencoded', 'more than 1000 fields'],
    ['no boundary', multipart(part('a', '1')), 'multipart/form-data', 'no boundary'],
    ['an unfinished part', `--b\r\n${part('name', 'Ana')}`, TYPE, 'in the middle of a part'],
    ['__proto__ in a form', '__proto__=1&name=Ana', 'application/x-www-form-urlencoded', '__proto__'],
    ['__proto__ in brackets', 'a[__proto__][admin]=1&name=Ana', 'application/x-www-form-urlencoded', '__proto__'],
    ['__proto__ in a part', multipart(part('__proto__', '1')), TYPE, '__proto__'],
    ['brackets without end', `a${'[b]'.repeat(9)}=1`, 'application/x-www-form-urlencoded', 'brackets'],
  ])('%s is refused, and the reason is kept', (_, body, type, reason) => {
    const reading = readDelivery('zapier', body, type)
    expect(reading.kind).toBe('refused')
    expect(JSON.stringify(reading)).toContain(reason)
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })

  test('names of inherited properties are only names', () => {
    const reading = readDelivery(
      'zapier',
      '{"constructor":"a","toString":"b","name":"Ana Lopez","email":"a@example.com"}',
      null,
    )
    expect(reading).toMatchObject({ kind: 'lead', lead: { notes: 'constructor: a\ntoString: b' } })
  })
})
