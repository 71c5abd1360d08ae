import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseJsonObject } from '@/lib/core/json'
import { parseBody } from '../body'
import { readDelivery } from '../read'
import { detectSource, sources } from './registry'

const FORM = 'application/x-www-form-urlencoded'
const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
const typeOf = (name: string) => (name.endsWith('.form') ? FORM : 'application/json')
const read = (source: string, name: string) => readDelivery(source, fixture(name), typeOf(name))

/** The values that a person who reads the body would write down. */
const EXPECTED: [source: string, name: string, lead: object, service: string | undefined, category: string][] = [
  [
    'angi',
    'angi-leads.json',
    {
      firstName: 'Maria',
      lastName: 'van der Berg',
      email: 'maria@example.com',
      phone: '6155550118',
      address: '1411 Holly St',
      city: 'Nashville',
      state: 'TN',
      zipCode: '37206',
      externalId: '561100458',
      leadSource: 'Angi',
      notes:
        'Two layers to tear off.\nWhat is the nature of this project?: Completely replace roof\nAre you the homeowner?: Yes\n' +
        'When would you like it done?: 1 - 2 weeks\nSecond phone: 6155550119\nPhone extension: 204',
    },
    'Asphalt Shingle Roofing - Install or Replace',
    'angi',
  ],
  [
    'angi',
    'angi-ads.json',
    {
      firstName: 'Terrence',
      lastName: 'Okafor',
      email: 't.okafor@example.com',
      phone: '615-555-0126',
      address: '88 Fatherland Ct, Unit 2',
      city: 'Nashville',
      state: 'TN',
      zipCode: '37206-1712',
      externalId: '7e8ecf26-4b1d-4b58-9d6e-33f1a42ad0c1',
      leadSource: 'Angi',
      notes: 'Gutters overflow at the front porch.\nUrgency: This Week',
    },
    'Gutter Repair',
    'angi',
  ],
  [
    'thumbtack',
    'thumbtack-v4.json',
    {
      firstName: 'June',
      lastName: 'Park',
      phone: '6155550134',
      address: '240 Lakeview Dr, Apt 4B',
      city: 'Hendersonville',
      state: 'TN',
      zipCode: '37075',
      externalId: '590299344770660202',
      leadSource: 'Thumbtack',
      notes:
        'Half of the kitchen outlets are dead.\nProperty type: Home\nProposed time: 2026-10-16T15:00:00Z to 2026-10-16T17:00:00Z',
    },
    'Electrical and Wiring Repair',
    'thumbtack',
  ],
  [
    'thumbtack',
    'thumbtack-flat.json',
    {
      firstName: 'Curtis',
      lastName: "O'Neal",
      phone: '6155550147',
      city: 'Gallatin',
      state: 'TN',
      zipCode: '37066',
      externalId: '437282430751539329',
      leadSource: 'Thumbtack',
      notes:
        'Six recessed lights in the den.\nCeiling height: 9 feet\nDate: Fri, Nov 06 2026\nTime: 9:00 AM\n' +
        "Name as given: Curtis O'Neal Jr.",
    },
    'Lighting Installation',
    'thumbtack',
  ],
  [
    'google-ads',
    'google-ads.json',
    {
      firstName: 'Priya',
      lastName: 'Raman',
      email: 'priya.raman@example.com',
      phone: '+1 615-555-0155',
      city: 'Nashville',
      state: 'TN',
      zipCode: '37211',
      externalId: 'CjwKCAjw-0D0BRAFEiwAlead-0001',
      leadSource: 'Google Ads',
      notes: 'What does your roof need?: Repair after hail',
    },
    undefined,
    'search_ads',
  ],
  [
    'zapier',
    'zapier-facebook.json',
    {
      firstName: 'Samuel',
      lastName: 'Whitfield',
      email: 'sam.whitfield@example.com',
      phone: '+16155550161',
      address: '905 Boscobel St',
      city: 'Nashville',
      state: 'TN',
      zipCode: '37206',
      externalId: '1203344556677889',
      leadSource: 'fb',
    },
    'Inspection',
    'social_ads',
  ],
  [
    'zapier',
    'zapier-nextdoor.json',
    {
      firstName: 'Imani',
      lastName: '',
      email: 'imani@example.com',
      zipCode: '37216',
      externalId: 'nd-44120',
      leadSource: 'Nextdoor Ads',
      notes:
        'Looking for someone to fix flashing around a skylight.\nphone as given: not given\nstate as given: Middle Tennessee',
    },
    undefined,
    'nextdoor',
  ],
  [
    'zapier',
    'zapier-website.form',
    {
      firstName: 'Ana',
      lastName: 'Lopez',
      email: 'ana@example.com',
      phone: '615.555.0172',
      address: '77 Shelby Ave, Rear house',
      zipCode: '37206',
      externalId: '551',
      leadSource: 'Referral from a neighbor',
      notes: 'Leak over the stairs',
    },
    'Roof repair',
    'referral',
  ],
]

describe('each sender, as it sends', () => {
  test.each(EXPECTED)('%s: %s', (source, name, lead, service, category) => {
    expect(read(source, name)).toMatchObject({ kind: 'lead', lead, service, category: { category } })
    expect(Object.keys(Object(read(source, name)).lead).sort()).toEqual(
      expect.arrayContaining(Object.keys(lead).filter((field) => Object(lead)[field] !== undefined)),
    )
  })

  test.each(EXPECTED)('%s is detected by its structure: %s', (source, name) => {
    expect(detectSource(parseBody(fixture(name), typeOf(name)))?.name).toBe(source)
  })

  test('tests and events that are not leads create nothing', () => {
    expect(read('google-ads', 'google-ads-test.json').kind).toBe('test')
    expect(read('thumbtack', 'thumbtack-trial.json').kind).toBe('test')
    expect(read('thumbtack', 'thumbtack-message.json').kind).toBe('ignored')
    expect(
      readDelivery('zapier', '{"full_name":"<test lead: dummy data for full_name>","email":"test@fb.com"}', null).kind,
    ).toBe('test')
  })

  test('a mapping shows where each field was found and which fields are unused', () => {
    const { mapping } = read('zapier', 'zapier-facebook.json')
    expect(mapping.from).toMatchObject({ fullName: 'Full Name', externalId: 'id', leadSource: 'platform' })
    expect(mapping.unread).toEqual(['created_time', 'campaign_name', 'form_name'])
    expect(read('zapier', 'zapier-nextdoor.json').mapping.setAside).toEqual(['phone', 'state'])
  })
})

describe('what no sender should send', () => {
  test.each(sources)('$name: an empty object is refused for its name and contact', ({ name }) => {
    const reading = readDelivery(name, '{}', 'application/json')
    expect(reading).toMatchObject({ kind: 'refused', faults: [{ field: 'firstName' }, { field: 'phone' }] })
  })

  test.each(sources.filter(({ name }) => EXPECTED.some(([source]) => source === name)))(
    '$name: any shape is read without an exception',
    ({ name }) => {
      for (const value of [1, 'x', null, [], [1], {}, { a: 1 }, [null], '\u0007', 'x'.repeat(20_000)]) {
        for (const [source, file] of EXPECTED) {
          if (file.endsWith('.form') || source !== name) continue
          const body = parseJsonObject(fixture(file))
          for (const field of Object.keys(body))
            expect(readDelivery(name, JSON.stringify({ ...body, [field]: value }), null).kind).toMatch(
              /lead|refused|test|ignored/,
            )
        }
      }
    },
  )

  test('a lead that is answered at Thumbtack needs no contact, as long as it has its id', () => {
    const { customer, ...rest } = JSON.parse(fixture('thumbtack-flat.json'))
    const without = { ...rest, customer: { name: customer.name } }
    const { leadID, ...nameless } = without
    expect(readDelivery('thumbtack', JSON.stringify(without), null)).toMatchObject({
      kind: 'lead',
      lead: { firstName: 'Curtis', externalId: leadID },
    })
    expect(readDelivery('thumbtack', JSON.stringify(nameless), null).kind).toBe('refused')
  })

  test('JSON that calls itself a form and cannot be read is named so', () => {
    const reading = readDelivery('zapier', '{"name":"Ana",', FORM)
    expect(JSON.stringify(reading)).toContain(
      'is JSON, but its Content-Type says that it is a form, and as JSON it is not valid JSON',
    )
  })

  test('two invalid contacts are refused, and both are named', () => {
    const body = JSON.stringify({ name: 'Ana', email: 'nobody', phone: 'none' })
    expect(readDelivery('zapier', body, null)).toMatchObject({
      kind: 'refused',
      faults: [{ field: 'email' }, { field: 'phone' }],
    })
  })
})
