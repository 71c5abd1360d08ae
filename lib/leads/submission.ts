import { z } from 'zod'
import { parseEmail, parsePhone, parseState, parseZip } from '@/lib/core/contact'

const NOT_TEXT = 'must be a text'
const blankIsAbsent = (text: string) => text.trim() || undefined

/** A line that cannot be shown as one line is no name and no street; in a message, line breaks and tabs are at home. */
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

/** An optional text that is kept in one spelling; `parse` gives undefined when it cannot be what it should be. */
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
  email: spelled(254, parseEmail, 'is not an e-mail address').describe('E-mail address; needed when phone is absent'),
  // Its own text is kept beside the number, so the number is made where it is stored.
  phone: spelled(60, (text) => parsePhone(text) && text.trim(), 'cannot be a phone number').describe(
    'Phone number, read as a US one when it names no country; needed when email is absent',
  ),
  address: optional(200).describe('Street address'),
  city: optional(100).describe('City'),
  state: spelled(40, parseState, 'is not a US state or territory; send its two letters').describe(
    'State or territory, two letters; a full name is accepted',
  ),
  zipCode: spelled(10, parseZip, 'is not a ZIP code; send 37203 or 37203-1234').describe('ZIP code or ZIP+4'),
  leadSource: optional(200).describe('Where the lead came from, free text; mapped to a category'),
  notes: optional(10_000, CONTROL_BUT_BREAKS).describe('The customer’s message, or notes'),
  externalId: optional(200).describe('Your own identifier of this lead: sent again, it creates nothing'),
} as const

export type LeadField = keyof typeof FIELDS
export const LEAD_FIELDS = Object.keys(FIELDS).filter((name): name is LeadField => name in FIELDS)

const CONTACT = ['email', 'phone'] as const
const hasContact = (lead: { email?: unknown; phone?: unknown }) =>
  CONTACT.some((field) => Object(lead)[field] !== undefined)

/** Told beside faults of other fields too, but an address that is there and wrong must not also be called missing. */
const contactRule = (field: (typeof CONTACT)[number]) => ({
  path: [field],
  message: 'is required when the other of email and phone is absent',
  params: { missing: true },
  when: ({ issues }: z.core.ParsePayload) =>
    !issues.some((issue) => CONTACT.some((name) => issue.path?.[0] === name) && !Object(issue).params?.missing),
})

/** The body of the inbound webhook (specification 2.7). Fields it does not name are ignored; every fault is told at once. */
export const LeadSubmission = z
  .object(FIELDS)
  .refine(hasContact, contactRule('email'))
  .refine(hasContact, contactRule('phone'))

/** A lead as the service takes it, whoever sent it: every value in the one spelling in which it is stored. */
export type Lead = z.output<typeof LeadSubmission>

/** One field alone, as {@link LeadSubmission} reads it. */
export const readField = (field: LeadField, value: unknown) => FIELDS[field].safeParse(value)
