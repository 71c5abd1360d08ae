import { type FieldFault, ServiceError } from '@/lib/core/errors'
import { faultsOf, sentenceOf } from '@/lib/core/faults'
import { splitAddress } from './addresses'
import { parseBody } from './body'
import { type Categorized, categorize } from './category'
import { type Corrections, corrected } from './corrections'
import { splitName, withoutTitles } from './names'
import { mayBeDialed, readEmail, readPhone } from './phones'
import { type Draft, type DraftField, fieldEntries, type JsonObject, textOf } from './sources/define'
import { findSource } from './sources/registry'
import {
  CONTROL_BUT_BREAKS,
  LEAD_FIELDS,
  type Lead,
  type LeadField,
  LeadSubmission,
  NO_EMAIL,
  readField,
} from './submission'

/** The specification's own webhook: its body already has our field names and is validated strictly. */
export const INBOUND = 'inbound'

/** The way a body was read: the path of each field, the unused paths, and the fields that could not be used and went to the notes. */
export type Mapping = {
  from: Partial<Record<DraftField, string>>
  unread: string[]
  setAside: LeadField[]
  /** The values one of the contractor's people entered over the body when the delivery was replayed, by field. */
  corrections?: Corrections | undefined
} & Partial<Categorized>

/** The result of reading a body: a lead, a refusal with its reasons, or something that makes no project. */
export type Reading = {
  source: string
  mapping: Mapping
  /** The values that the body has for our fields, before they are checked. */
  values: { [Field in DraftField]?: string | undefined }
  secret?: string | undefined
} & (
  | { kind: 'lead'; lead: Lead; service: string | undefined; category: Categorized }
  | { kind: 'refused'; faults: FieldFault[]; announces?: string | undefined }
  | { kind: 'test' | 'ignored' }
)

/** An empty mapping, for a body that could not be parsed. */
const NO_MAPPING: Mapping = { from: {}, unread: [], setAside: [] }

const NAME_LENGTH = 100
/** The length up to which a name is read; what is behind it is left with the delivery. */
const LONGEST_NAME = 1_000
const NOTES_LENGTH = 10_000

/** The fields of a draft that are read one by one; names and notes are assembled from several. */
const OPTIONAL = LEAD_FIELDS.filter((field) => !['firstName', 'lastName', 'notes'].includes(field))

function unreadOf(body: JsonObject, from: Mapping['from']): string[] {
  const read = new Set(Object.values(from).flatMap((places) => places.split(', ').flatMap(rootsOf)))
  return Object.keys(body).filter((name) => !read.has(name))
}

/** A place of a mapping, and the name of the body that it begins with. */
const rootsOf = (place: string) => [place, place.split(/[. ]/, 1)[0] ?? place]

function mappingOf(body: object): Mapping {
  const names = LEAD_FIELDS.filter((field) => field in body)
  const from = Object.fromEntries(names.map((field) => [field, field]))
  return { ...NO_MAPPING, from, unread: Object.keys(body).filter((name) => !(name in from)) }
}

/** The reading of a lead that is already validated. */
export const readingOf = (lead: Lead): Reading => ofLead(INBOUND, mappingOf(lead), lead, undefined, lead)

/** Reads the specification's body: every fault is reported, and nothing is guessed. */
export function readSubmission(body: JsonObject, corrections: Corrections = {}): Reading {
  const asked = { ...body, ...corrections }
  const parsed = LeadSubmission.safeParse(asked, { error: sentenceOf })
  const mapping = mappingOf(body)
  mapping.from = corrected({ values: {}, from: mapping.from }, corrections).from
  const values = Object.fromEntries(LEAD_FIELDS.map((field) => [field, textOf(asked[field])]))
  if (!parsed.success) {
    return { kind: 'refused', source: INBOUND, mapping, values, faults: faultsOf(parsed.error, 'body') }
  }
  return ofLead(INBOUND, mapping, parsed.data, undefined, values)
}

function ofLead(
  source: string,
  mapping: Mapping,
  lead: Lead,
  service: string | undefined,
  values: Reading['values'],
): Reading {
  const category = categorize(lead.leadSource)
  return { kind: 'lead', source, lead, service, category, values, mapping: { ...mapping, ...category } }
}

/** The name as the sender has it: first and last name, or else the full one. */
function givenName({ values }: Draft): { firstName: string; lastName: string; fullName: string } {
  const { firstName = '', lastName = '', fullName = '' } = values
  return { firstName, lastName, fullName: firstName === '' && lastName === '' ? fullName.slice(0, LONGEST_NAME) : '' }
}

/** The first and the last name without titles and suffixes; a full name is split. Either may be missing. */
function nameOf(draft: Draft): { firstName: string; lastName: string } {
  const { firstName, lastName, fullName } = givenName(draft)
  const [first, last] = [firstName, lastName].map((text) => withoutTitles(text.slice(0, LONGEST_NAME)))
  const name = fullName === '' ? { firstName: first ?? '', lastName: last ?? '' } : splitName(withoutTitles(fullName))
  const given = name.firstName === '' ? { firstName: name.lastName, lastName: '' } : name
  const short = (text: string) => text.slice(0, LONGEST_NAME).replace(/\s+/g, ' ').slice(0, NAME_LENGTH).toWellFormed()
  return { firstName: short(given.firstName), lastName: short(given.lastName) }
}

const isOfContact = ({ field }: FieldFault) => field === 'email' || field === 'phone'

/** Adds the usable optional fields to the lead. The others are set aside; those a lead needs are reported as faults. */
function readOptional({ values }: Draft, lead: Lead) {
  const faults: FieldFault[] = []
  const aside: (typeof OPTIONAL)[number][] = []
  for (const field of OPTIONAL) {
    const value = values[field]
    const read = value === undefined ? undefined : readField(field, value)
    if (read?.success) Object.assign(lead, { [field]: read.data })
    else if (read) {
      const fault = { field, message: read.error.issues[0]?.message ?? 'cannot be used' }
      if (field === 'externalId' || isOfContact(fault)) faults.push(fault)
      if (field !== 'externalId') aside.push(field)
    }
  }
  return { faults, aside }
}

/** Values without the letters that exports of Meta's leads put before them, so that spreadsheets keep them as texts. */
function withoutPrefixes(values: Draft['values']): Draft['values'] {
  const without = { ...values }
  for (const field of ['zipCode', 'phone'] as const) {
    const bare = /^[pz]:\s{0,5}(?=[\d+(])(.{1,100})$/.exec(values[field] ?? '')?.[1]
    if (bare !== undefined) without[field] = bare
  }
  return without
}

/** Chooses one phone number and one email address of several in a field. Returns the others, as lines for the notes. */
function readContact({ values }: Draft): string[] {
  const { phone, aside: phones } = readPhone(values.phone)
  const { email, aside: emails } = readEmail(values.email)
  if (phone !== undefined) values.phone = phone
  if (email !== undefined) values.email = email
  return [...phones, ...emails]
}

/**
 * Turns a sender's draft into a lead. Because the sender cannot be asked again, a detail must not lose the lead: an unusable
 * optional field goes to the notes unchanged. A lead is refused only without a name or any contact.
 */
function readDraft(source: string, given: Draft, mapping: Mapping): Reading {
  const draft = { ...given, values: splitAddress(withoutPrefixes(given.values)) }
  const beside = readContact(draft)
  const lead: Lead = { ...nameOf(draft) }
  const asNamed = Object.values(givenName(draft)).filter(Boolean).join(' ')
  if (withoutTitles(asNamed) !== asNamed) beside.unshift(`Name as given: ${asNamed}`)
  const { faults, aside } = readOptional(draft, lead)
  mapping.setAside.push(...aside)
  if (lead.firstName === '')
    faults.unshift({ field: 'firstName', message: 'is required; no name was found in the body' })
  // A number that is no number here may be one of another country.
  const raw = draft.values.phone
  if (lead.email === undefined && lead.phone === undefined && raw !== undefined && mayBeDialed(raw)) lead.phone = raw
  const isRelayed = findSource(source)?.relays === true && lead.externalId !== undefined
  const reachable = lead.email !== undefined || lead.phone !== undefined || isRelayed
  if (!reachable && !faults.some(isOfContact))
    faults.push({ field: 'phone', message: `${NO_EMAIL}; the body has neither` })
  const fatal = faults.filter((fault) => !reachable || !isOfContact(fault))
  const { values, announces } = draft
  if (announces !== undefined) {
    return { kind: 'refused', source, mapping, values, announces, faults: [{ field: 'body', message: announces }] }
  }
  if (fatal.length > 0) return { kind: 'refused', source, mapping, values, faults: fatal }
  const asGiven = aside.map((field) => `${field} as given: ${values[field]}`)
  const notes = [values.notes, ...beside, ...asGiven].filter(Boolean).join('\n')
  if (notes !== '') lead.notes = notes.slice(0, NOTES_LENGTH).toWellFormed()
  return ofLead(source, mapping, lead, values.service?.slice(0, NAME_LENGTH).toWellFormed(), values)
}

function clean(draft: Draft): Draft {
  const values = fieldEntries(draft.values).map(([field, value]) => [field, value.split(CONTROL_BUT_BREAKS).join(' ')])
  return { ...draft, values: Object.fromEntries(values) }
}

/**
 * Reads a body the way its source writes it; used by requests, replays and the try page.
 * @param named `inbound` or the name of an adapter
 * @param corrections what a person entered in place of what the body says, when it is replayed
 */
export function readDelivery(
  named: string,
  body: string,
  contentType: string | null,
  corrections: Corrections = {},
): Reading {
  let parsed: JsonObject
  try {
    parsed = parseBody(body, contentType)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return {
      kind: 'refused',
      source: findSource(named)?.name ?? named,
      mapping: NO_MAPPING,
      values: {},
      faults: error.fields ?? [{ field: 'body', message: error.message }],
    }
  }
  const adapter = findSource(named)
  if (!adapter) return readSubmission(parsed, corrections)
  const source = adapter.name
  const read = clean(adapter.read(parsed))
  const draft = clean(corrected(read, corrections))
  const unread = read.unread ?? unreadOf(parsed, read.from)
  const mapping: Mapping = { from: draft.from, unread, setAside: [] }
  const secret = adapter.secret?.(parsed)
  return draft.kind === 'lead'
    ? { ...readDraft(source, draft, mapping), secret }
    : { kind: draft.kind, source, mapping, values: draft.values, secret }
}
