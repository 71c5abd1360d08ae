import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { z } from 'zod'

const Email = z.email()

/** An e-mail address, trimmed and in lower case; undefined when it is none. */
export function parseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && Email.safeParse(email).success ? email : undefined
}

/**
 * A phone number in E.164 (`+16155550142`), read with region US when it names no country; undefined when it cannot be a
 * number. Length decides, not assignment: a number too new for the tables is kept.
 */
export function parsePhone(text: string): string | undefined {
  const phone = parsePhoneNumberFromString(text, 'US')
  return phone?.isPossible() ? phone.number : undefined
}
