/** The outcome of a lead: amounts in dollars, days from today, negative ones ago. */
type Became = {
  status: 'estimate' | 'scheduled' | 'in_progress' | 'completed' | 'cancelled'
  total: number
  starts?: number
  ends?: number
}

export type DemoLead = {
  /** The source: `inbound`, or the name of the sender's own form. */
  source: string
  daysAgo: number
  body: Record<string, unknown> | URLSearchParams
  became?: Became
  followUp?: { inDays: number; text: string }
}

type Person = { id: string; first: string; last: string; phone: string; zip?: string; says: string }

const mailOf = ({ first, last }: Person) => `${first}.${last}@example.com`.toLowerCase().replace(/[^\w.@]/g, '')

/** Google Ads lead forms, as their webhook sends them. */
const google = (of: Person) => ({
  lead_id: `demo-${of.id}`,
  api_version: '1.0',
  form_id: 4110500001,
  campaign_id: 9220600001,
  user_column_data: [
    { column_id: 'FULL_NAME', column_name: 'Full Name', string_value: `${of.first} ${of.last}` },
    { column_id: 'PHONE_NUMBER', column_name: 'User Phone', string_value: of.phone },
    { column_id: 'EMAIL', column_name: 'User Email', string_value: mailOf(of) },
    { column_id: 'POSTAL_CODE', column_name: 'Postal Code', string_value: of.zip ?? '37211' },
    { column_id: 'what_do_you_need?', column_name: 'What do you need?', string_value: of.says },
  ],
})

/** Angi leads. */
const angi = (of: Person) => ({
  firstName: of.first,
  lastName: of.last,
  primaryPhone: of.phone,
  email: mailOf(of),
  postalCode: of.zip ?? '37206',
  leadOid: `demo-${of.id}`,
  taskName: of.says,
  matchType: 'Lead',
  interview: [{ question: 'When would you like it done?', answer: 'Within a month' }],
})

/** Thumbtack negotiations, version 4. */
const thumbtack = (of: Person) => ({
  event: { eventType: 'NegotiationCreatedV4' },
  data: {
    negotiationID: `demo-${of.id}`,
    status: 'Open',
    customer: { customerID: `demo-c-${of.id}`, firstName: of.first, lastName: of.last, phone: of.phone },
    request: {
      requestID: `demo-r-${of.id}`,
      category: { name: of.says },
      location: { city: 'Nashville', state: 'TN', zipCode: of.zip ?? '37203' },
    },
  },
})

/** Facebook lead ads, forwarded by Zapier. */
const facebook = (of: Person) => ({
  id: `demo-${of.id}`,
  platform: 'fb',
  form_name: 'Free inspection',
  'Full Name': `${of.first} ${of.last}`,
  Email: mailOf(of),
  'Phone Number': of.phone,
  'What service do you need?': of.says,
})

/** Nextdoor leads, forwarded by Zapier. */
const nextdoor = (of: Person) => ({
  lead_id: `demo-${of.id}`,
  source: 'Nextdoor Ads',
  first_name: of.first,
  last_name: of.last,
  phone_number: of.phone,
  message: of.says,
})

/** A form of the contractor's own site, through Zapier. */
const website = (of: Person) =>
  new URLSearchParams({
    'your-name': `${of.first} ${of.last}`,
    'your-email': mailOf(of),
    'your-phone': of.phone,
    zip: of.zip ?? '37206',
    service_type: of.says,
    how_did_you_hear_about_us: 'Website',
    submission_id: `demo-${of.id}`,
  })

/** A lead from somebody who called, entered by the office in our own words. */
const office = (leadSource: string) => (of: Person) => ({
  firstName: of.first,
  lastName: of.last,
  phone: of.phone,
  notes: of.says,
  leadSource,
  externalId: `demo-${of.id}`,
})

const FORMS = {
  google: ['google-ads', google],
  angi: ['angi', angi],
  thumbtack: ['thumbtack', thumbtack],
  facebook: ['zapier', facebook],
  nextdoor: ['zapier', nextdoor],
  website: ['zapier', website],
  referral: ['inbound', office('Referral')],
  phone: ['inbound', office('Phone call')],
} as const satisfies Record<string, readonly [string, (of: Person) => DemoLead['body']]>

/** A lead in the form of its sender. */
export function lead(
  form: keyof typeof FORMS,
  daysAgo: number,
  [first, last, phone, says]: [first: string, last: string, phone: string, says: string],
  then: Pick<DemoLead, 'became' | 'followUp'> = {},
): DemoLead {
  const [source, write] = FORMS[form]
  const id = `${first}-${last}`.toLowerCase().replace(/[^\w-]/g, '')
  return { source, daysAgo, body: write({ id, first, last, phone, says }), ...then }
}

/** A follow-up on a lead, in so many days. */
export const ask = (inDays: number, text: string) => ({ followUp: { inDays, text } })
