import { ANCHOR, FIRST_DAY } from './dates'
import { BUSINESSES, FIRST, LAST } from './names'
import { type Area, STREETS } from './places'
import type { Random } from './random'
import type { Job, Trade } from './work'

export type Place = { address: string; city: string; state: string; zip: string }
export type Customer = Place & { id: string; name: string; email: string; phone: string; created: number }
export type Project = Place & {
  id: string
  customer: Customer
  job: Job
  status: string
  total: number
  start?: number
  end?: number
  created: number
}
export type Plan = {
  area: Area
  trade: Trade
  seed: number
  customers: number
  businesses: number
  plans: number
  financed: number
}

const fold = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/đ/g, 'd')
    .replace(/[^a-z]/g, '')

function place(random: Random, area: Area): Place {
  const town = random.pick(area.towns)
  return {
    address: `${random.int(101, 9480)} ${random.pick(STREETS)}`,
    city: town.city,
    state: area.state,
    zip: random.pick(town.zips),
  }
}

/** Numbers kept for fiction (555-0100 to 555-0199), written as different people write them. */
function phone(random: Random, area: Area): string {
  const [code, line] = [random.pick(area.areaCodes), `01${String(random.int(0, 99)).padStart(2, '0')}`]
  return random.pick([`(${code}) 555-${line}`, `${code}-555-${line}`, `+1 ${code} 555 ${line}`])
}

/** People and a few businesses; each with an e-mail or a phone. */
export function makeCustomers(random: Random, plan: Plan): Customer[] {
  const taken = new Set<string>()
  return Array.from({ length: plan.customers }, (_, i) => {
    const business = BUSINESSES[i]
    const name = business !== undefined && i < plan.businesses ? business : `${random.pick(FIRST)} ${random.pick(LAST)}`
    const [first = 'office', ...rest] = name.split(' ')
    let mailbox = business === name ? fold(name).slice(0, 18) : `${fold(first)}.${fold(rest.join(''))}`
    if (taken.has(mailbox)) mailbox += i
    taken.add(mailbox)
    const email = random.chance(0.93) ? `${mailbox}@${random.pick(['example.com', 'example.org', 'example.net'])}` : ''
    const number = email === '' || random.chance(0.9) ? phone(random, plan.area) : ''
    const created = random.int(FIRST_DAY, ANCHOR - 4)
    return { id: `C-${1001 + i}`, name, email, phone: number, created, ...place(random, plan.area) }
  }).sort((a, b) => a.created - b.created)
}

function statusAt(random: Random, created: number): string {
  const age = ANCHOR - created
  if (age < 21)
    return random.weighted([
      ['lead', 5],
      ['estimate', 4],
      ['scheduled', 1],
    ])
  if (age < 75)
    return random.weighted([
      ['estimate', 3],
      ['scheduled', 3],
      ['in_progress', 5],
      ['on_hold', 1],
      ['cancelled', 1],
    ])
  if (age < 160)
    return random.weighted([
      ['in_progress', 6],
      ['completed', 9],
      ['on_hold', 1],
      ['cancelled', 1],
    ])
  return random.weighted([
    ['completed', 26],
    ['cancelled', 2],
    ['on_hold', 1],
  ])
}

/** To the dollar for small jobs, to five for large ones, with cents where material was billed by the piece. */
function total(random: Random, { low, high }: Job): number {
  const dollars = random.int(low, high)
  return (low > 5_000 ? Math.round(dollars / 5) * 5 : dollars) * 100 + (random.chance(0.4) ? random.int(1, 99) : 0)
}

function makeProject(
  random: Random,
  plan: Plan,
  customer: Customer,
  created: number,
  job: Job,
  status: string,
): Omit<Project, 'id'> {
  const started = created + random.int(14, 45)
  const length = job.low > 12_000 ? random.int(10, 60) : random.int(1, 6)
  const hasBegun = ['in_progress', 'completed', 'on_hold'].includes(status)
  const elsewhere = customer.name.match(/HOA|Group|Apartments/) ? place(random, plan.area) : customer
  const at: Place = { address: elsewhere.address, city: elsewhere.city, state: elsewhere.state, zip: elsewhere.zip }
  return {
    ...at,
    customer,
    job,
    status,
    created,
    total: status === 'lead' ? 0 : total(random, job),
    ...(hasBegun
      ? { start: Math.min(started, ANCHOR - 1) }
      : status === 'scheduled'
        ? { start: ANCHOR + random.int(5, 60) }
        : {}),
    ...(status === 'completed' ? { end: Math.min(started + length, ANCHOR - 1) } : {}),
  }
}

/** Every customer has a project; businesses and some others come back; some take a yearly plan. */
export function makeProjects(random: Random, plan: Plan, customers: Customer[]): Project[] {
  const jobs = plan.trade.jobs.map((job) => [job, job.weight] as const)
  const [firstJob = [plan.trade.plan, 1] as const, ...otherJobs] = jobs
  const drafts: Omit<Project, 'id'>[] = []
  for (const customer of customers) {
    const count =
      customer.name.includes(' ') && /LLC|HOA|Lofts|Co\.|Storage|Church|Dental|Montessori|LP|Inn/.test(customer.name)
        ? random.int(4, 8)
        : random.weighted([
            [1, 60],
            [2, 26],
            [3, 10],
            [4, 4],
          ])
    let created = customer.created
    for (let i = 0; i < count; i++) {
      drafts.push(
        makeProject(
          random,
          plan,
          customer,
          created,
          random.weighted([firstJob, ...otherJobs]),
          statusAt(random, created),
        ),
      )
      created = Math.min(created + random.int(20, 320), ANCHOR - 3)
    }
  }
  for (const customer of customers.filter(({ created }) => created < ANCHOR - 200).slice(0, plan.plans)) {
    drafts.push(makeProject(random, plan, customer, customer.created + 150, plan.trade.plan, 'in_progress'))
  }
  const perYear = new Map<number, number>()
  return drafts
    .sort((a, b) => a.created - b.created)
    .map((draft) => {
      const year = new Date(draft.created * 86_400_000).getUTCFullYear() % 100
      const number = (perYear.get(year) ?? 0) + 1
      perYear.set(year, number)
      return { id: `P-${year}-${String(number).padStart(4, '0')}`, ...draft }
    })
}
