import { cleanText } from '@/lib/core/clean'
import type { FieldFault } from '@/lib/core/errors'

/** What a replay would do: the answer, what it would be refused for, and what the body says of our fields. */
export type Preview = {
  source: string
  values: Record<string, string>
  faults: FieldFault[]
  customer: { id: string; name: string } | null
  answer: { status: number; body: Record<string, unknown> }
}

const cleaned = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, cleanText(text)]))

/** What the browser needs of a dry run, strangers' text clean. */
export function previewFrom({ source, values, faults, customer, answer }: Preview): Preview {
  return {
    source,
    values: cleaned(values),
    faults,
    customer: customer && { ...customer, name: cleanText(customer.name) },
    answer,
  }
}

/** The fields of a lead as people call them, in the order of a form. */
export const FIELD_LABELS: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  address: 'Street address',
  city: 'City',
  state: 'State',
  zipCode: 'ZIP code',
  leadSource: 'Lead source',
  notes: 'Notes',
  externalId: 'External id',
}

/** A fault as a sentence that begins with its field. */
export const sentence = (field: string, message: string): string =>
  `${FIELD_LABELS[field] ?? 'The body'} ${message}${/[.!?]$/.test(message) ? '' : '.'}`

/** The fields of ours a lead is refused for. Email and phone stand for each other, so they come together. */
export function fieldsToFix({ faults }: Pick<Preview, 'faults'>): string[] {
  const refused = new Set(faults.map(({ field }) => field))
  if (refused.has('email') || refused.has('phone')) for (const field of ['email', 'phone']) refused.add(field)
  return Object.keys(FIELD_LABELS).filter((field) => refused.has(field))
}

/** What a replay would do, in a sentence. */
export function outcomeText({ answer: { status, body }, faults, customer }: Preview): string {
  if (status >= 400) {
    const [first] = faults
    const more = faults.length > 1 ? ` ${faults.length} things are wrong.` : ''
    return `Still refused. ${first ? sentence(first.field, first.message) : String(body.error ?? '')}${more}`
  }
  if (body.duplicate === true) return 'Found as a duplicate: its project exists, and no second one is created.'
  if (body.test === true) return 'Accepted as a test lead: nothing is created.'
  if (body.ignored === true) return 'Accepted, but it is not a new lead: nothing is created.'
  const whose = customer ? `for ${customer.name}, a customer you have` : 'for a new customer'
  return `Creates job ${String(body.jobNumber)}, ${whose}.`
}
