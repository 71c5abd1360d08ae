import { cleanText } from '@/lib/core/clean'
import type { FieldFault } from '@/lib/core/errors'

/** The preview of a replay: its response, its errors, and the values found in the body. */
export type Preview = {
  source: string
  values: Record<string, string>
  faults: FieldFault[]
  customer: { id: string; name: string } | null
  answer: { status: number; body: Record<string, unknown> }
}

const cleaned = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, cleanText(text)]))

/** Returns what the browser needs from a dry run, with untrusted text cleaned. */
export function previewFrom({ source, values, faults, customer, answer }: Preview): Preview {
  return {
    source,
    values: cleaned(values),
    faults,
    customer: customer && { ...customer, name: cleanText(customer.name) },
    answer,
  }
}

/** The labels of a lead's fields, in form order. */
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

/** Writes an error as a sentence that starts with its field. */
export const sentence = (field: string, message: string): string =>
  `${FIELD_LABELS[field] ?? (field === 'body' ? 'The body' : field)} ${message}${/[.!?]$/.test(message) ? '' : '.'}`

/** Returns the fields that a lead was refused for. Email and phone are returned together, because either one is enough. */
export function fieldsToFix({ faults }: Pick<Preview, 'faults'>): string[] {
  const refused = new Set(faults.map(({ field }) => field))
  if (refused.has('email') || refused.has('phone')) for (const field of ['email', 'phone']) refused.add(field)
  return Object.keys(FIELD_LABELS).filter((field) => refused.has(field))
}

/** Describes the result of a replay in a sentence. */
export function outcomeText({ answer: { status, body }, faults, customer }: Preview): string {
  if (status >= 400) {
    const [first] = faults
    const more = faults.length > 1 ? ` ${faults.length} errors in total.` : ''
    return `Still refused. ${first ? sentence(first.field, first.message) : String(body.error ?? '')}${more}`
  }
  if (body.duplicate === true) return 'Duplicate: its project already exists, and no second project is created.'
  if (body.test === true) return 'Accepted as a test lead: nothing is created.'
  if (body.ignored === true) return 'Accepted, but it is not a new lead: nothing is created.'
  const whose = customer ? `for ${customer.name}, an existing customer` : 'for a new customer'
  return `Creates job ${String(body.jobNumber)}, ${whose}.`
}
