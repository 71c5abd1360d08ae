import * as z from 'zod'
import { parseEmail } from '@/lib/core/contact'
import { ROLES } from '@/lib/core/roles'

/** An email address as accounts are found by: trimmed, in lower case. */
export const EmailInput = z.string().transform((text, ctx) => {
  const email = parseEmail(text)
  if (email !== undefined) return email
  ctx.addIssue({ code: 'custom', message: 'is not an email address' })
  return z.NEVER
})

export const RoleInput = z.enum(ROLES)
export const PersonId = z.string().min(1).max(50)
export const InvitationId = z.string().min(1).max(50)

/** A person's name, as the team reads it. */
export const PersonName = z.string().trim().min(1, 'is required').max(100)

export const EXAMPLE_PERSON = 'psn_01k9zq2v6n8m4t5c3b7x1w0jd2'
