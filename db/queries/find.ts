import { type SQL, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'

/** Kinds of records that are found by words (leads as their projects, by who wrote them), or by the beginning of an email address or number. */
export type WordKind = 'customer' | 'project' | 'lead'
export type BeginningKind = 'email' | 'phone' | 'lead_email' | 'lead_phone' | 'invoice' | 'estimate' | 'payment'

/** Samples of a contractor's rows in which each word is indexed again, the smallest first: every 512th row, every 64th, every 8th. */
const SAMPLES = ['/512', '/64', '/8'] as const
const SMALLEST = SAMPLES[0]
/** The letters of a beginning below which larger samples have too many words that begin so. */
const SHORT = 3

/** Words that must all match, each in one of several spellings; the last may be just a beginning when `open`. */
export type WordQuery = { words: string[][]; open: boolean }

/** A query as `find_by_samples` takes it, see there. */
type SampledQuery = { samples: string[]; whole: string; rest?: string; open?: string; openSample?: string }

function sampled(contractorId: string, { words, open }: WordQuery): SampledQuery {
  const lexeme = (sample: string, word: string) => `'${`${contractorId}${sample}:${word}`.replace(/['\\]/g, '$&$&')}'`
  const group = (sample: string, spellings: string[], beginning = '') =>
    `(${spellings.map((word) => lexeme(sample, word) + beginning).join(' | ')})`
  const [last, rest] = [words.at(-1) ?? [], words.slice(0, -1)]
  const closed = (sample: string, groups: string[][]) => groups.map((spellings) => group(sample, spellings))
  const all = (sample: string) => [...closed(sample, rest), group(sample, last, open ? ':*' : '')].join(' & ')
  const isShort = open && last.some((word) => word.length < SHORT)
  const query = { samples: (isShort ? [SMALLEST] : SAMPLES).map(all), whole: all('') }
  if (!open || rest.length === 0) return query
  return {
    ...query,
    rest: closed('', rest).join(' & '),
    open: group('', last, ':*'),
    openSample: group(SMALLEST, last, ':*'),
  }
}

const BY_WORDS = {
  name: 'plumbline_find_by_samples',
  text: 'select find_by_samples($1, $2, $3::jsonb, $4::int) as id',
}

/** Returns ids of a contractor's records that match the first query, then the next ones while there are too few. */
export async function findByWords(
  db: Database,
  kind: WordKind,
  contractorId: string,
  queries: WordQuery[],
  most: number,
): Promise<string[]> {
  const asked = queries.map((query) => sampled(contractorId, query))
  const found = await db.run<{ id: string }>(BY_WORDS, [kind, contractorId, JSON.stringify(asked), most])
  return [...new Set(found.map(({ id }) => id))]
}

const ALL_BY_WORDS = {
  name: 'plumbline_find_all_by_words',
  text: 'select find_page($1, $2, $3::tsquery, $4::int) as id',
}

/** Returns the ids of all of a contractor's records that have every word, up to `most`. */
export async function findAllByWords(
  db: Database,
  kind: WordKind,
  contractorId: string,
  wanted: WordQuery,
  most: number,
): Promise<string[]> {
  const query = sampled(contractorId, wanted).whole
  const found = await db.run<{ id: string }>(ALL_BY_WORDS, [kind, contractorId, query, most])
  return found.map(({ id }) => id)
}

const KNOWN_WORDS = {
  name: 'plumbline_find_known_words',
  text: 'select find_known_words($1, array(select jsonb_array_elements_text($2::jsonb))) as word',
}

/** Returns the words that occur in a contractor's customers or projects. */
export async function findOccurringWords(db: Database, contractorId: string, words: string[]): Promise<string[]> {
  const found = await db.run<{ word: string }>(KNOWN_WORDS, [contractorId, JSON.stringify(words)])
  return found.map(({ word }) => word)
}

const BY_BEGINNING = {
  name: 'plumbline_find_by_beginning',
  text: 'select find_by_beginning($1, $2, $3, $4::int) as id',
}

/** Returns ids of records whose email address, phone number (reversed) or number begins with a text; exact matches first. */
export async function findByBeginning(
  db: Database,
  kind: BeginningKind,
  contractorId: string,
  beginning: string,
  most: number,
): Promise<string[]> {
  const found = await db.run<{ id: string }>(BY_BEGINNING, [kind, contractorId, beginning, most])
  return found.map(({ id }) => id)
}

/** The fields that distinguish a found record. Times are ISO; a field that a kind does not have is null. */
export type FoundRow = {
  id: string
  type: 'customer' | 'project' | 'lead' | 'invoice' | 'payment' | 'estimate'
  title: string
  /** Fields besides the title that the search covers. */
  street: string | null
  status: string | null
  phone: string | null
  email: string | null
  customer: string | null
  /** Who wrote a lead, whose customer may have another name. */
  person: string | null
  amount: string | null
  currency: string | null
  at: string | null
}

type Shown = { columns: SQL; from: SQL; only?: SQL }

const NAMED = sql`name as title, nullif(concat_ws(', ', t.address, t.city), '') as street`
const OF_CUSTOMER = sql`null as street, null as phone, null as email, c.name as customer, null as person, t.amount::text as amount, t.currency`

/** The selection of each kind in the columns of {@link FoundRow}. */
const SHOWN = {
  customer: {
    columns: sql`'customer' as type, t.${NAMED}, null as status, t.phone, t.email, null as customer, null as person, null as amount, null as currency,
      t.updated_at as at`,
    from: sql`users t`,
    only: sql`t.owns_project`,
  },
  project: {
    columns: sql`case t.status when 'lead' then 'lead' else 'project' end as type, t.${NAMED}, t.status, c.phone, c.email,
      c.name as customer, nullif(btrim(l.first_name || ' ' || l.last_name), '') as person, t.total_amount::text as amount, null as currency, t.created_at as at`,
    from: sql`projects t join users c on c.id = t.customer_id left join leads l on l.project_id = t.id`,
  },
  invoice: {
    columns: sql`'invoice' as type, t.number as title, t.status, ${OF_CUSTOMER}, t.due_date as at`,
    from: sql`analytics_invoice_records t join users c on c.id = t.customer_id`,
  },
  estimate: {
    columns: sql`'estimate' as type, t.number as title, t.status, ${OF_CUSTOMER}, t.estimate_date as at`,
    from: sql`estimates t join users c on c.id = t.customer_id`,
  },
  payment: {
    columns: sql`'payment' as type, coalesce(t.reference, '') as title, t.method as status, ${OF_CUSTOMER}, t.date as at`,
    from: sql`analytics_revenue_transactions t join users c on c.id = t.customer_id`,
    only: sql`t.type = 'payment_received'`,
  },
} as const satisfies Record<string, Shown>
export type ShownKind = keyof typeof SHOWN
export const SHOWN_KINDS: readonly ShownKind[] = ['customer', 'project', 'invoice', 'payment', 'estimate']

/** Returns the records of a kind that meet a condition. */
async function show(orm: Orm, kind: ShownKind, condition: SQL): Promise<FoundRow[]> {
  const { columns, from, only = sql`true` }: Shown = SHOWN[kind]
  return await rows<FoundRow>(
    orm,
    sql`select id, type, title, street, status, phone, email, customer, person, amount, currency,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from (select t.id, ${columns} from ${from} where ${only} and ${condition}) found`,
  )
}

/** Returns records by their ids, in no order; `|| ''` leaves the primary key as the only usable index. */
export const showByIds = (orm: Orm, kind: ShownKind, contractorId: string, ids: string[]): Promise<FoundRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : show(orm, kind, sql`t.id = any(${sql.param(ids)}::text[]) and t.contractor_id || '' = ${contractorId}`)

/** Returns the newest records of a kind that belong to a customer. */
export const showNewestOf = (
  orm: Orm,
  kind: Exclude<ShownKind, 'customer'>,
  contractorId: string,
  customerId: string,
  most: number,
): Promise<FoundRow[]> =>
  show(
    orm,
    kind,
    sql`t.contractor_id = ${contractorId} and t.customer_id = ${customerId} order by t.updated_at desc, t.id desc limit ${most}::int`,
  )

/** Returns the id of a contractor's project by its job number. */
export async function projectOfJob(orm: Orm, contractorId: string, jobNumber: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    orm,
    sql`select id from projects where contractor_id = ${contractorId} and job_number = ${jobNumber}::int and job_number is not null`,
  )
  return found.map(({ id }) => id)
}
