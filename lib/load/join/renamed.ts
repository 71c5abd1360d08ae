import type { StoredCustomer } from '@/db/queries/adopt'
import type { StoredInvoice } from '@/db/queries/stored-documents'
import { cut } from '../fault'
import { columnOf } from '../kinds'
import { type Answers, answerTo, MOST_QUESTIONS, type Question, renamedKey } from '../questions'
import { SeenReferences } from '../seen'
import { amountIn } from './fills'
import type { JoinedFile } from './joined-file'
import { Names } from './names'
import { type JoinedRecord, recordsOf } from './records'
import { dayOf } from './stored'

/** Finds stored invoices by their numbers. */
export type FindNumbered = (numbers: readonly string[]) => Promise<StoredInvoice[]>

/** Finds stored customers by the ids that their software gives them, and by their references. */
export type FindCustomers = (by: Record<'ids' | 'references', readonly string[]>) => Promise<StoredCustomer[]>

/** An invoice of a customer who is known by the name. */
type Stated = {
  number: string
  reference: string
  customer: string
  name: string
  amount: string
  day: string
  line: number
}

const AT_ONCE = 1_000

/** Returns an invoice of a record; undefined where its customer has an id, which a new name leaves as it is. */
function statedBy(names: Names, record: JoinedRecord): Stated | undefined {
  const { file } = names
  if (record.fault !== undefined || !names.owns('invoices', record) || !names.isKnownByName(record)) return undefined
  const number = names.value('invoices', 'reference', record)
  const amount = amountIn(names.value('invoices', 'amount', record), file.notation)
  const day = dayOf(names.value('invoices', 'date', record), file)
  if (number === '' || amount === undefined || day === undefined) return undefined
  const [reference, customer, name] = [names.invoice(record), names.customer(record), names.customerName(record)]
  return { number, reference, customer, name, amount, day, line: record.line }
}

/** Returns the customer of a stored invoice that is what a file states, but for the customer's name; its reference tells that it is of the same source. */
function ownerOf(
  names: Names,
  stated: Stated,
  { reference, amount, day, name, owners }: StoredInvoice,
): string | undefined {
  if (owners.includes(stated.customer) || Math.abs(Number(stated.amount)) !== Number(amount) || stated.day !== day)
    return undefined
  return owners.find((owner) => reference === names.invoiceOf(stated.number, owner) && names.isNameOf(owner, name))
}

type Asked = { questions: Question[]; renamed: Map<string, string> }

/** An invoice of a file, and the customer and reference of the stored one. */
type Pair = { stated: Stated; owner: string; name: string; reference: string }

/** Finds invoices of other names that a file states again; those that it states itself are no others. */
async function pairsOf(file: JoinedFile, find: FindNumbered, renamed: Map<string, string>): Promise<Pair[]> {
  const names = new Names(file, columnOf)
  const seen = new SeenReferences()
  const pairs: Pair[] = []
  async function look(batch: Stated[]): Promise<void> {
    const stored = new Map<string, StoredInvoice[]>()
    for (const each of await find([...new Set(batch.map(({ number }) => number))]))
      stored.set(each.number, [...(stored.get(each.number) ?? []), each])
    for (const stated of batch)
      for (const { reference, name, ...each } of stored.get(stated.number) ?? []) {
        const owner = ownerOf(names, stated, { reference, name, ...each })
        if (owner !== undefined && pairs.length < AT_ONCE) pairs.push({ stated, owner, name, reference })
      }
  }
  let batch: Stated[] = []
  for await (const record of recordsOf(file)) {
    const stated = statedBy(names, record)
    if (!stated) continue
    const was = names.renamedFrom(stated.name)
    if (was !== undefined) renamed.set(was, stated.name)
    if (stated.reference !== '') seen.firstLine(stated.reference, stated.line)
    if (batch.push(stated) < AT_ONCE) continue
    await look(batch)
    batch = []
  }
  await look(batch)
  const isOfSource = file.mapping.numbers === 'ofSource'
  return pairs.filter(({ reference }) => isOfSource || !seen.has(reference))
}

/**
 * Asks whether customers have new names: an invoice of the same source has the number, day and amount of a stored one of another name. By an
 * answer that they have, all that a file says of the new name is the stored customer's.
 * @returns the questions, and the new names that were answered, by the references of their customers
 */
export async function askRenamed(file: JoinedFile, answers: Answers | undefined, find: FindNumbered): Promise<Asked> {
  const { source, fills, numbers } = file.mapping
  const renamed = new Map<string, string>()
  if (source === 'Plumbline' || !fills.invoices || numbers === 'ofJob') return { questions: [], renamed }
  const questions = new Map<string, Question>()
  for (const { stated, owner, name: stored } of await pairsOf(file, find, renamed)) {
    const key = renamedKey(source, stated.name, owner)
    if (answerTo(answers, key) !== undefined || questions.has(key) || questions.size >= MOST_QUESTIONS) continue
    const [name, was] = [stated.name.slice(0, 60), stored.slice(0, 60)]
    questions.set(key, {
      kind: 'renamed',
      key,
      file: file.table.name,
      line: stated.line,
      column: null,
      value: stated.name.slice(0, 100),
      question: `Is “${name}” the new name of “${was}”? Invoice ${stated.number.slice(0, 40)} on line ${stated.line} has the number, day and amount of one that is stored for “${was}”. Choose renamed if they are the same invoice and customer, or another if they are not.`,
      choices: ['renamed', 'another'],
    })
  }
  return { questions: [...questions.values()], renamed }
}

/** What a source's ids say of stored customers: under which references they are stored, the answers that follow, and what to tell a person. */
export type KnownById = { storedAs: Map<string, string>; answers: Record<string, string>; rules: string[] }

/** A customer of a file that gives ids. */
type Listed = { id: string; sourceId: string; name: string; reference: string }

/** What becomes of a customer of a file: stored under a reference, there under a new name or beside another of its name, or stored under two names. */
type Place = { as?: string; renamed?: StoredCustomer; beside?: true; twice?: StoredCustomer }

/** Returns where a customer of a file is stored; undefined where it is what its name says. */
function placeOf(names: Names, { id, sourceId, name, reference }: Listed, stored: StoredCustomer[]): Place | undefined {
  const same = stored.filter((each) => each.sourceId === sourceId)
  if (same.some((each) => each.reference === reference)) return undefined
  const [was] = same
  const holder = stored.find((each) => each.reference === reference)
  if (!was) return holder?.sourceId ? { as: names.namesake(name, id), beside: true } : undefined
  // What a person joined is one customer, by whichever of its names.
  const named = holder?.sourceId === null ? [...same, holder] : same
  if (named.some(({ customer }) => customer !== was.customer)) return { twice: was }
  if (holder?.sourceId === null) return undefined
  return holder ? { as: was.reference, beside: true } : { as: was.reference, renamed: was }
}

/** Reads the customers of a file that gives ids, many at once. */
async function* listedIn(file: JoinedFile, names: Names): AsyncGenerator<Listed[]> {
  let batch: Listed[] = []
  for await (const record of recordsOf(file)) {
    const [sourceId, name] = [names.customerId(record), names.customerName(record)]
    if (record.fault !== undefined || sourceId === '' || name === '') continue
    const id = names.value('customers', 'id', record)
    if (batch.push({ id, sourceId, name, reference: names.customer(record) }) < AT_ONCE) continue
    yield batch
    batch = []
  }
  yield batch
}

/** The most customers that a rule names, and the most new names that other files follow; of more, their invoices ask. */
const MOST = { named: 20, followed: 1_000 }

/** Customers that a rule is about: the first by name, and how many. */
class Told {
  private readonly first: string[] = []
  count = 0

  add(text: string): void {
    if (++this.count <= MOST.named) this.first.push(text)
  }

  /** Returns a rule with its customers; none where there are none. */
  rule(text: string): string[] {
    const more = this.count > MOST.named ? ` and ${this.count - MOST.named} more` : ''
    return this.count === 0 ? [] : [`${text}: ${this.first.join(', ')}${more}.`]
  }
}

/** Collects what becomes of the customers of a file. */
class Findings {
  readonly storedAs = new Map<string, string>()
  readonly answers: Record<string, string> = {}
  private readonly renamed = new Told()
  private readonly beside = new Told()
  private readonly twice = new Told()

  constructor(private readonly source: string) {}

  add({ id, name }: Listed, { as, renamed, beside, twice }: Place): void {
    if (as !== undefined) this.storedAs.set(id, as)
    if (beside) this.beside.add(cut(name))
    if (twice) this.twice.add(`${cut(twice.name)} and ${cut(name)}`)
    if (!renamed) return
    this.renamed.add(`${cut(renamed.name)} is now ${cut(name)}`)
    if (this.renamed.count <= MOST.followed) this.answers[renamedKey(this.source, name, renamed.reference)] = 'renamed'
  }

  get rules(): string[] {
    return [
      ...this.renamed.rule('Customers with new names are known by their ids'),
      ...this.beside.rule(
        'Customers of a name that another has are known by their ids; files that only name them mean the other',
      ),
      ...this.twice.rule('Customers of one id are stored under two names, and stay two until a person joins them'),
    ]
  }
}

/** Finds the stored customers whose names changed, by the ids in the file that lists a source's customers; its other files name them only. */
export async function knownById(file: JoinedFile, find: FindCustomers): Promise<KnownById> {
  const { source, fills } = file.mapping
  const findings = new Findings(source)
  const { storedAs, answers } = findings
  if (fills.customers?.id === undefined) return { storedAs, answers, rules: [] }
  const names = new Names(file, columnOf)
  for await (const batch of listedIn(file, names)) {
    const ids = batch.map(({ sourceId }) => sourceId)
    const stored = await find({ ids, references: batch.map(({ reference }) => reference) })
    for (const listed of batch) findings.add(listed, placeOf(names, listed, stored) ?? {})
  }
  return { storedAs, answers, rules: findings.rules }
}
