import type { Reading } from './read'

/** The person whose lead a body is, as far as it says so. Kept with its delivery, refused or not, so that a list can name people. */
export type Who = { name: string | undefined; phone: string | undefined; email: string | undefined }

const LONGEST = 200

/** Returns a text on one line, and no longer than a list can show. */
const line = (text: string | undefined) =>
  text
    ?.replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed() || undefined

/** The name and the contact among the values of a body, checked or not. */
export function whoOf({ firstName, lastName, fullName, phone, email }: Reading['values']): Who {
  const name = line([firstName, lastName].filter(Boolean).join(' ')) ?? line(fullName)
  return { name, phone: line(phone), email: line(email) }
}
