import { ANCHOR, FIRST_DAY } from './dates'
import { FIRST, LAST } from './names'
import type { Area, Business } from './places'
import { Random } from './random'
import type { Trade } from './work'

export type Place = { address: string; city: string; state: string; zip: string }
export type Customer = Place & {
  id: string
  name: string
  email: string
  phone: string
  created: number
  business?: Business
}
/** The settings to generate one contractor. `returns` is the percentage of customers who come back with more work. */
export type Plan = {
  area: Area
  trade: Trade
  seed: number
  customers: number
  returns: number
  plans: number
  financed: number
  /** Phone numbers of others, as ten digits: of leads, and of the examples. */
  others: readonly string[]
}

const fold = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/đ/g, 'd')
    .replace(/[^a-z]/g, '')

/** An address in the area. A few are apartments, whose comma must be quoted in the file. */
export function place(random: Random, area: Area): Place {
  const [first, ...others] = area.towns
  const town = random.weighted([[first, first.share] as const, ...others.map((other) => [other, other.share] as const)])
  const flat = random.chance(0.05) ? `, ${random.pick(['Apt', 'Unit'])} ${random.int(1, 24)}` : ''
  return {
    address: `${random.int(101, random.pick([990, 2_400, 6_900]))} ${random.pick(area.streets)}${flat}`,
    city: town.city,
    state: area.state,
    zip: random.pick(town.zips),
  }
}

/** A phone number reserved for fiction (555-0100 to 555-0199), in the different formats people use. */
function phone(random: Random, area: Area): string {
  const [code, line] = [random.pick(area.areaCodes), `01${String(random.int(0, 99)).padStart(2, '0')}`]
  return random.pick([`(${code}) 555-${line}`, `${code}-555-${line}`, `+1 ${code} 555 ${line}`])
}

/** The area codes of people who kept the number they moved here with. */
const ELSEWHERE = ['423', '865', '901', '414', '715'] as const

/**
 * Gives each person a number of their own, in the format it had, because a number is shared by a household at most. Uses its own random source,
 * so that nothing else changes.
 * @param taken numbers that are others', as ten digits
 */
function tellApart(random: Random, people: { phone: string }[], { areaCodes }: Area, taken: Set<string>): void {
  const codes = [...new Set(areaCodes), ...ELSEWHERE]
  for (const person of people) {
    let digits = person.phone.replace(/\D/g, '').slice(-10)
    for (let tries = 0; digits !== '' && taken.has(digits); tries++)
      digits = `${codes[Math.min(Math.floor(tries / 40), codes.length - 1)]}55501${String(random.int(0, 99)).padStart(2, '0')}`
    taken.add(digits)
    let at = 0
    const all = person.phone.startsWith('+1') ? `1${digits}` : digits
    person.phone = person.phone.replace(/\d/g, () => all[at++] ?? '')
  }
}

/** Returns an unused name, because two customers with one name would look like a duplicate. */
function personName(random: Random, taken: Set<string>): string {
  for (;;) {
    const name = `${random.pick(FIRST)} ${random.pick(LAST)}`
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

function mailbox(random: Random, name: string, business: Business | undefined): string {
  if (business) return `${random.pick(['office', 'accounts', 'info'])}.${fold(name).slice(0, 24)}`
  const [first = '', ...rest] = name.split(' ').map(fold)
  const last = rest.join('')
  return random.pick([`${first}.${last}`, `${first}.${last}`, `${first.slice(0, 1)}${last}`, `${first}${last}`])
}

/** People and a few businesses, in the order they became customers. Each has an email or a phone number. */
export function makeCustomers(random: Random, plan: Plan): Customer[] {
  const names = new Set<string>()
  const mailboxes = new Set<string>()
  const people = Array.from({ length: plan.customers }, (_, i) => {
    const business = plan.area.businesses[i]
    const others = plan.customers - plan.area.businesses.length
    // Businesses start early enough to have come back by now. Of the others, each year adds more than the year before.
    const share = business
      ? random.next() * 0.5
      : 1 - (1 - (i - plan.customers + others + random.next()) / others) ** 1.35
    const created = FIRST_DAY + Math.floor(share * (ANCHOR - 10 - FIRST_DAY))
    const name = business?.name ?? personName(random, names)
    let box = mailbox(random, name, business)
    while (mailboxes.has(box)) box += random.int(2, 99)
    mailboxes.add(box)
    const email = random.chance(0.93) ? `${box}@${random.pick(['example.com', 'example.org', 'example.net'])}` : ''
    const number = email === '' || random.chance(0.9) ? phone(random, plan.area) : ''
    const who = { name, email, phone: number, created, ...place(random, plan.area) }
    return business ? { ...who, business } : who
  })
  tellApart(new Random(plan.seed + 2), people, plan.area, new Set(plan.others))
  return people.sort((a, b) => a.created - b.created).map((person, i) => ({ id: `C-${1001 + i}`, ...person }))
}
