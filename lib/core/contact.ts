import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { z } from 'zod'

const Email = z.email()

/** An email address, trimmed and in lower case; undefined when it is not one. */
export function parseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && Email.safeParse(email).success ? email : undefined
}

/**
 * A phone number in E.164 (`+16155550142`), read as a US number when it names no country; undefined when it cannot be a number.
 * Only the length is checked, because a new number may be missing from the tables.
 */
export function parsePhone(text: string): string | undefined {
  const phone = parsePhoneNumberFromString(text, 'US')
  return phone?.isPossible() ? phone.number : undefined
}

/** The states, the district, the territories and the military addresses (USPS Publication 28, appendix B). */
const STATES = Object.fromEntries(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,' +
    'DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,' +
    'KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
    'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,' +
    'NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,' +
    'SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,' +
    'WV West Virginia,WI Wisconsin,WY Wyoming,AS American Samoa,GU Guam,MP Northern Mariana Islands,PR Puerto Rico,' +
    'VI Virgin Islands,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific'
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

/** A US state or territory as its two letters, from the letters or the full name; undefined when it is neither. */
export function parseState(text: string): string | undefined {
  const name = text.trim().replace(/\./g, '').replace(/\s+/g, ' ').toUpperCase()
  return Object.hasOwn(STATES, name) ? STATES[name] : undefined
}

/** A ZIP code (`37203`) or ZIP+4 (`37203-1234`, also written as nine digits); undefined when it is neither. */
export function parseZip(text: string): string | undefined {
  const [, zip, plus4] = /^(\d{5})(?:[- ]?(\d{4}))?$/.exec(text.trim()) ?? []
  return zip && (plus4 ? `${zip}-${plus4}` : zip)
}
