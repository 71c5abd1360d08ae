import * as z from 'zod'
import { parseEmail, parsePhone, parseState, parseZip } from '@/lib/core/contact'

const NOT_TEXT = 'must be a text'
const blankIsAbsent = (text: string) => text.trim() || undefined

/** A name or a street must fit on one line; a message may have line breaks and tabs. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
export const CONTROL_BUT_BREAKS = /(?![\t\n\r])\p{Cc}/u

const line = (most: number, pattern = CONTROL) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : NOT_TEXT) })
    .max(most, `must have at most ${most} characters`)
    .refine((text) => !pattern.test(text), 'has control characters; remove them')

const required = (most: number) =>
  line(most).transform((text, ctx) => {
    const value = blankIsAbsent(text)
    if (value === undefined) ctx.addIssue({ code: 'custom', message: 'is required' })
    return value ?? ''
  })

const optional = (most: number, pattern?: RegExp) => line(most, pattern).transform(blankIsAbsent).optional()

/** An optional text that is stored in one canonical form; `parse` returns undefined when it is invalid. */
const spelled = (most: number, parse: (text: string) => string | undefined, message: string) =>
  line(most)
    .transform((text, ctx) => {
      if (text.trim() === '') return undefined
      const value = parse(text)
      if (value === undefined) ctx.addIssue({ code: 'custom', message })
      return value
    })
    .optional()

const FIELDS = {
  firstName: required(100).describe('First name'),
  lastName: required(100).describe('Last name'),
  email: spelled(254, parseEmail, 'is not an email address').describe(
    'Email address; required when there is no phone number',
  ),
  // The original text is stored too, so the number is parsed where it is stored.
  phone: spelled(60, (text) => parsePhone(text) && text.trim(), 'is not a phone number').describe(
    'Phone number, read as a US one when it names no country; required when there is no email address',
  ),
  address: optional(200).describe('Street address'),
  city: optional(100).describe('City'),
  state: spelled(
    40,
    parseState,
    'is not a US state or territory or a Canadian province; send its two letters',
  ).describe('State or province, two letters; a full name is accepted'),
  zipCode: spelled(20, parseZip, 'is not a ZIP or postal code; send 37203, 37203-1234 or K1A 0B1').describe(
    'ZIP or postal code',
  ),
  leadSource: optional(200).describe('Where the lead came from, free text; mapped to a category'),
  notes: optional(10_000, CONTROL_BUT_BREAKS).describe('The customer’s message, or notes'),
  externalId: optional(200).describe('Your own identifier of this lead: sent again, it creates nothing'),
} as const

export type LeadField = keyof typeof FIELDS
export const LEAD_FIELDS = Object.keys(FIELDS).filter((name): name is LeadField => name in FIELDS)

const CONTACT = ['email', 'phone'] as const
const NO_PHONE = 'is required when there is no phone number'
/** The reason why a phone number counts as missing. */
export const NO_EMAIL = 'is required when there is no email address'
const hasContact = (lead: { email?: unknown; phone?: unknown }) =>
  CONTACT.some((field) => Object(lead)[field] !== undefined)

/** Returns the fault reported next to other fields' faults; a field that is present and wrong must not also be called missing. */
const contactRule = (field: (typeof CONTACT)[number]) => ({
  path: [field],
  message: field === 'email' ? NO_PHONE : NO_EMAIL,
  params: { missing: true },
  when: ({ issues }: z.core.ParsePayload) =>
    !issues.some((issue) => CONTACT.some((name) => issue.path?.[0] === name) && !Object(issue).params?.missing),
})

/** The body of the inbound webhook (specification 2.7). Other fields are ignored; every fault is reported at once. */
export const LeadSubmission = z
  .object(FIELDS)
  .refine(hasContact, contactRule('email'))
  .refine(hasContact, contactRule('phone'))

/** A lead from any sender: every value in its stored form. */
export type Lead = z.output<typeof LeadSubmission>

/** A single field, validated as {@link LeadSubmission} does. */
export const readField = (field: LeadField, value: unknown) => FIELDS[field].safeParse(value)
