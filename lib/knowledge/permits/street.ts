/**
 * Words of a street by their postal abbreviations (USPS Publication 28, appendices B and C1), so that both spellings compare equal.
 */
const ABBREVIATIONS = new Map(
  Object.entries({
    ALY: 'ALLEY',
    AVE: 'AVENUE AV AVEN AVN',
    BLVD: 'BOULEVARD BOUL BOULV',
    BND: 'BEND',
    BR: 'BRANCH',
    BYP: 'BYPASS',
    CIR: 'CIRCLE CIRC',
    CRES: 'CRESCENT',
    CRK: 'CREEK',
    CT: 'COURT',
    CV: 'COVE',
    DR: 'DRIVE DRV',
    EXPY: 'EXPRESSWAY',
    HL: 'HILL',
    HTS: 'HEIGHTS',
    HWY: 'HIGHWAY',
    LN: 'LANE',
    LOOP: 'LOOPS',
    PIKE: 'PK PIKES',
    PKWY: 'PARKWAY PKY',
    PL: 'PLACE',
    PLZ: 'PLAZA',
    PT: 'POINT',
    RD: 'ROAD',
    RDG: 'RIDGE',
    SQ: 'SQUARE',
    ST: 'STREET STR SAINT',
    TER: 'TERRACE TERR',
    TRL: 'TRAIL',
    VW: 'VIEW',
    WAY: 'WY',
    XING: 'CROSSING',
    N: 'NORTH',
    S: 'SOUTH',
    E: 'EAST',
    W: 'WEST',
    NE: 'NORTHEAST',
    NW: 'NORTHWEST',
    SE: 'SOUTHEAST',
    SW: 'SOUTHWEST',
  }).flatMap(([short, long]) => [short, ...long.split(' ')].map((word) => [word, short] as const)),
)

/** The spellings of a word of a street, in lower case, itself included: `st` is `st`, `street`, `str`, `saint`. */
export function streetSpellings(word: string): string[] {
  const short = ABBREVIATIONS.get(word.toUpperCase())
  if (!short) return [word]
  return [...ABBREVIATIONS].filter(([, each]) => each === short).map(([each]) => each.toLowerCase())
}

const UNIT = / (?:APT|APARTMENT|UNIT|STE|SUITE|BLDG|FL|RM|LOT)\b.*$/s
const MOST_NUMBER = 2_000_000_000

/** A parsed address: `number` is the house number, `street` the name in the form keys compare; null where it has none. */
export type StreetParts = { number: number | null; street: string | null; zip: string | null }

/** Streets whose name includes a number, which is not a unit: `HWY 70`. */
const NUMBERED = new Set(['HWY', 'PIKE', 'LOOP'])
const isUnit = (word: string) => /^(?:\d+[A-Z]?|[A-Z])$/.test(word)

/** Removes unit designations: a letter before the name, and numbers and letters after the last street word. */
function withoutUnit(words: string[]): string[] {
  const [first = '', second] = words
  const named = second !== undefined && /^[A-Z]$/.test(first) && !ABBREVIATIONS.has(first) ? words.slice(1) : words
  const last = named.findLastIndex((word) => ABBREVIATIONS.has(word))
  const behind = named.slice(last + 1)
  const isUnits = last > 0 && !NUMBERED.has(named[last] ?? '') && behind.every(isUnit)
  return isUnits ? named.slice(0, last + 1) : named
}

/** A text without what follows `#` in its last line. */
function withoutNumberSign(text: string): string {
  const at = text.indexOf('#', text.lastIndexOf('\n') + 1)
  return at < 0 ? text : text.slice(0, at)
}

/** The words of a street in capitals, abbreviated, without punctuation and unit: `18th Avenue South 104` -> `18TH AVE S`. */
export function streetKey(text: string): string {
  const plain = withoutNumberSign(text)
    .toUpperCase()
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(UNIT, '')
  return withoutUnit(plain.split(' ').map((word) => ABBREVIATIONS.get(word) ?? word)).join(' ')
}

/** Parses an address; whatever follows its first comma is city, state and ZIP. */
export function streetParts(address: string): StreetParts {
  const [line = ''] = address.split(',')
  const zip = /\b(\d{5})(?:-\d{4})?\s*$/.exec(address)
  const zipStandsAlone = zip !== null && zip.index > 0
  const withoutZip = zipStandsAlone && !address.includes(',') ? line.slice(0, zip.index) : line
  const [, digits, rest = ''] =
    /^\s*(\d{1,10})(?:\s*-\s*\d+)?[A-Za-z]?(?:\s+1\/2)?(?=\s|$)(.*)$/s.exec(withoutZip) ?? []
  const number = digits === undefined ? null : Number(digits)
  const street = streetKey(number === null ? withoutZip : rest)
  return {
    number: number !== null && number <= MOST_NUMBER ? number : null,
    street: street === '' ? null : street.slice(0, 200),
    zip: zipStandsAlone ? (zip[1] ?? null) : null,
  }
}

/**
 * Returns possible streets in an address written without commas: the whole, then without its last words, which may be city and state.
 * Street words (`S`, `AVE`) are never removed: `18TH AVE S` is not `18TH AVE`.
 */
export function streetCandidates(street: string): string[] {
  const words = street.split(' ')
  const candidates = [street]
  for (let kept = words.length - 1; kept > 0 && candidates.length < 5; kept--) {
    if (ABBREVIATIONS.has(words[kept] ?? '')) break
    candidates.push(words.slice(0, kept).join(' '))
  }
  return candidates
}

/** A company's name for comparison: lower-case letters and digits, without its legal form. */
export function companyKey(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/&/g, ' and ')
    .match(/[\p{L}\p{N}]+/gu)
  const all = words ?? []
  const telling = all.filter(
    (word) => !/^(llc|inc|incorporated|corp|corporation|co|company|ltd|lp|llp|pllc|the)$/.test(word),
  )
  return (telling.length > 0 ? telling : all).join(' ').slice(0, 200)
}
