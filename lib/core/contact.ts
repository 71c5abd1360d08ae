import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import * as z from 'zod'
import { oneLine } from './text'

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

const Email = z.email()

/**
 * An email address, trimmed and in lower case; undefined when it is not one. Letters outside ASCII are refused before, because some become
 * ASCII in lower case (U+212A, the Kelvin sign, becomes `k`) and would turn one person's address into another's.
 */
export function parseEmail(text: string): string | undefined {
  const trimmed = text.trim()
  const email = trimmed.toLowerCase()
  return email.length <= 254 && /^[\x21-\x7e]+$/.test(trimmed) && Email.safeParse(email).success ? email : undefined
}

/**
 * The states, the district, the territories and the military addresses (USPS Publication 28, appendix B), and the provinces and
 * territories of Canada (Canada Post, Addressing Guidelines).
 */
const STATES = Object.fromEntries(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,' +
    'DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,' +
    'KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
    'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,' +
    'NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,' +
    'SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,' +
    'WV West Virginia,WI Wisconsin,WY Wyoming,AS American Samoa,GU Guam,MP Northern Mariana Islands,PR Puerto Rico,' +
    'VI Virgin Islands,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific,' +
    'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,' +
    'NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,QC Québec,SK Saskatchewan,YT Yukon'
  )
    .split(',')
    .flatMap((entry) => {
      const code = entry.slice(0, 2)
      return [
        [code, code],
        [entry.slice(3).toUpperCase(), code],
      ]
    }),
)

/** A US state or territory or a Canadian province as its two letters, from the letters or the full name; undefined when it is neither. */
export function parseState(text: string): string | undefined {
  const name = oneLine(text.replace(/\./g, '')).toUpperCase()
  return Object.hasOwn(STATES, name) ? STATES[name] : undefined
}

/** Letters that Canadian postal codes use (Canada Post): never D, F, I, O, Q or U, and neither W nor Z at the beginning. */
const CANADIAN = /^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)$/i

/**
 * A ZIP code (`37203`), a ZIP+4 (`37203-1234`, also written as nine digits) or a Canadian postal code (`K1A 0B1`); undefined when
 * it is none of them.
 */
export function parseZip(text: string): string | undefined {
  const code = text.trim()
  const [, zip, plus4] = /^(\d{5})(?: ?[- ]? ?(\d{4}))?$/.exec(code) ?? []
  if (zip) return plus4 ? `${zip}-${plus4}` : zip
  const [, area, unit] = CANADIAN.exec(code) ?? []
  return area && unit && `${area} ${unit}`.toUpperCase()
}
