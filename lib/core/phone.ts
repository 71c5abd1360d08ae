import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/**
 * A phone number in E.164 (`+16155550142`), read as a number of `country` when it names none; undefined when it cannot be a number.
 * Only the length is checked, because a new number may be missing from the tables.
 */
export function parsePhone(text: string, country = 'US'): string | undefined {
  return phoneParts(text, country)?.number
}

/** The same with the extension that is written next to it (`x204`, `ext. 204`). A leading `00` is read as `+`, as most countries dial it. */
export function phoneParts(
  text: string,
  country = 'US',
): { number: string; extension: string | undefined } | undefined {
  const phone = parsePhoneNumberFromString(
    text.replace(/^\s*00(?=[1-9])/, '+'),
    isSupportedCountry(country) ? country : 'US',
  )
  return phone?.isPossible() ? { number: phone.number, extension: phone.ext } : undefined
}

/** Writes a stored number as people of `country` do: `(615) 555-0142`, another country's with its code. Text that is no number stays. */
export function phoneText(text: string, country = 'US'): string {
  const phone = parsePhoneNumberFromString(text, isSupportedCountry(country) ? country : 'US')
  if (!phone?.isPossible()) return text
  const isOwn = phone.country === country || (phone.countryCallingCode === '1' && ['US', 'CA'].includes(country))
  return isOwn ? phone.formatNational() : phone.formatInternational()
}
