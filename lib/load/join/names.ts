import { parsePhone } from '@/lib/core/contact'
import { centsOf, parseMoney } from '@/lib/core/money'
import type { ResourceName } from '@/lib/core/resource-names'
import { parseExportedDate } from '@/lib/core/time'
import { type Column, plain } from '../columns'
import { isCredit, MOVES } from '../documents'
import { fingerprint, invoiceReference, nameIn, plainText, projectOfInvoice } from '../identity'
import { answerTo, renamedIn, wordKey } from '../questions'
import { SeenReferences } from '../seen'
import { headersOf } from '../sources/headers'
import type { Fill } from '../sources/mapping'
import { currencyIn, plainAmount, plainDate } from '../values'
import { amountAsWritten, amountIn, type Filler, type Filling, filler, indexOf } from './fills'
import type { JoinedFile } from './joined-file'
import type { JoinedRecord } from './records'
import { ownersOf, ownOf } from './words'

type Fillers = Partial<Record<ResourceName, Record<string, Filler>>>

/** The longest name, in characters. */
export const MOST_TEXT = 300

/** The most words of which the meaning is remembered. */
const MOST_WORDS = 1_000

/** The states of an invoice that is no claim: it makes no records, and what an earlier file had of it goes. */
const NO_CLAIM = ['void', 'draft']

/** Reports whether a file of jobs makes invoices and has no column that says what of them was paid. */
export function isPaymentNotKnown({ mapping, table }: Pick<JoinedFile, 'mapping' | 'table'>): boolean {
  const { invoices } = mapping.fills
  if (!mapping.billedWhen || !invoices) return false
  const index = indexOf(table.header)
  const tells = [invoices.balance, invoices.settledAt, invoices.status].flatMap((fill) => (fill ? headersOf(fill) : []))
  return !tells.some((header) => index.has(plain(header)))
}

/** The customer, project, invoice and payment that a record is or names, by reference; blank where it names none. */
export class Names {
  private readonly fillers: Fillers
  private readonly filling: Filling
  private readonly paymentsSeen = new SeenReferences()
  private readonly invoicesSeen = new SeenReferences()

  readonly isPaymentNotKnown: boolean
  /** New names of customers, each with the reference under which the customer is stored. */
  private readonly renamed: ReadonlyMap<string, string>
  /** The resources that the file has records of. */
  private readonly own: ReadonlySet<string>
  /** What words of statuses mean, by resource and word; a file has few of them. */
  private readonly statuses = new Map<string, string>()

  constructor(
    readonly file: JoinedFile,
    private readonly columnOf: (resource: ResourceName, field: string) => Column | undefined = () => undefined,
  ) {
    this.filling = { index: indexOf(file.table.header), notation: file.notation }
    this.fillers = fillersOf(file)
    this.isPaymentNotKnown = isPaymentNotKnown(file)
    this.own = ownOf(file.mapping)
    this.renamed = renamedIn(file.words, file.mapping.source)
  }

  value(resource: ResourceName, field: string, record: JoinedRecord): string {
    return this.fillers[resource]?.[field]?.(record) ?? ''
  }

  /** Returns what a status means in our words: by an answer, otherwise as the resource reads it; blank where it says nothing. */
  status(resource: ResourceName, record: JoinedRecord): string {
    const word = this.value(resource, 'status', record)
    if (word === '') return ''
    const key = `${resource} ${word}`
    const known = this.statuses.get(key)
    if (known !== undefined) return known
    const meaning = this.meaningOf(resource, word)
    if (this.statuses.size < MOST_WORDS) this.statuses.set(key, meaning)
    return meaning
  }

  private meaningOf(resource: ResourceName, word: string): string {
    const { mapping, words } = this.file
    const [column = ''] = headersOf(mapping.fills[resource]?.status ?? '')
    const answer = answerTo(words, wordKey(mapping.source, column, word))
    if (answer === 'ignore') return ''
    const read = this.columnOf(resource, 'status')?.read(answer ?? word)
    return (read && 'value' in read && read.value) || ''
  }

  /** Reports whether a record is a document of the books: neither void nor a draft, and of a job that was billed. */
  isIssued(record: JoinedRecord): boolean {
    return !NO_CLAIM.includes(this.status('invoices', record))
  }

  /** Reports whether a record is an invoice that nobody will pay. */
  isWrittenOff(record: JoinedRecord): boolean {
    return this.status('invoices', record) === 'uncollectible'
  }

  customerName(record: JoinedRecord): string {
    const given = nameIn(this.value('customers', 'name', record))
    if (given !== '') return given
    const contact = this.value('customers', 'email', record) || this.value('customers', 'phone', record)
    const id = this.value('customers', 'reference', record)
    return contact || (id && `Customer ${id}`)
  }

  /** Reports whether a record in a list of customers is a job of one: `Hill, Dana:Kitchen`. */
  isJob(record: JoinedRecord): boolean {
    const name = this.file.mapping.fills.customers?.name
    if (typeof name !== 'object' || !('before' in name)) return false
    return filler({ after: name.before, mark: name.mark }, this.filling)(record) !== ''
  }

  /** A customer's own id, or its name; of several of one name, each after the first is known by what tells it apart too. A phone in any spelling is one. */
  customer(record: JoinedRecord): string {
    const reference = this.value('customers', 'reference', record)
    if (reference !== '') return this.ofSource('customer', reference)
    const name = this.customerName(record)
    if (name === '') return ''
    const phone = /^[+(\d]/.test(name) ? parsePhone(name) : undefined
    if (phone) return fingerprint('customer', phone)
    const stored = this.file.storedAs?.get(this.value('customers', 'id', record))
    if (stored !== undefined) return stored
    const id = this.namesakeId(record)
    const ids = id === '' ? undefined : this.file.namesakes?.get(plainText(name))
    if (ids && ids[0] !== id) return this.namesake(name, id)
    return this.renamedFrom(name) ?? fingerprint('customer', name)
  }

  /** What a customer of another's name is known by: the name, and what tells the two apart. */
  namesake = (name: string, id: string): string => fingerprint('customer', name, id)

  /** What the source knows a customer by, where its other files know only the name; blank where it says none. */
  customerId(record: JoinedRecord): string {
    const id = this.value('customers', 'id', record)
    return id && fingerprint('id', this.source, id)
  }

  /** Reports whether a record's customer has no id, and is known by the name. */
  isKnownByName = (record: JoinedRecord): boolean =>
    this.value('customers', 'reference', record) === '' && this.customerName(record) !== ''

  /** Reports whether a customer is known by this name, or was before it changed. */
  isNameOf = (reference: string, name: string): boolean =>
    reference === fingerprint('customer', name) || [...this.renamed.values()].includes(reference)

  /** Returns the reference of the customer whose new name this is; undefined where it is none. */
  renamedFrom = (name: string): string | undefined => this.renamed.get(plainText(name))

  /** What an invoice of a number is known by, of a customer. */
  invoiceOf = (number: string, customer: string): string =>
    invoiceReference(this.source, number, this.file.mapping.numbers === 'ofSource' ? '' : customer)

  /** What tells a customer from others of its name: its id; in a list of customers without ids its phone, otherwise its street. */
  namesakeId(record: JoinedRecord): string {
    const id = this.value('customers', 'id', record)
    if (id !== '' || !this.own.has('customers')) return id
    const phone = this.value('customers', 'phone', record)
    return phone === ''
      ? plainText(this.value('customers', 'address', record))
      : (parsePhone(phone) ?? plainText(phone))
  }

  private get source(): string {
    return this.file.mapping.source
  }

  /** An id of a source's own. What an office keeps in its own sheets is its own space, and stays as it is written. */
  private ofSource = (kind: string, id: string): string =>
    this.source === 'Mapped' ? id : fingerprint(kind, this.source, id)

  /** What a record was known by before sources were told apart; blank where it names none. */
  bare(record: JoinedRecord): Record<'customer' | 'project' | 'invoice', string> {
    const invoice = this.value('invoices', 'reference', record)
    const job = this.value('projects', 'reference', record)
    return {
      customer: this.value('customers', 'reference', record),
      project: job || (this.makesProject(record) && invoice !== '' ? projectOfInvoice(invoice) : ''),
      invoice,
    }
  }

  /** The number of an invoice, as people know it. */
  number = (record: JoinedRecord): string => {
    const number = this.value('invoices', 'reference', record)
    if (number !== '') return number
    const date = plainDate(this.value('invoices', 'date', record), this.file.notation).slice(0, 10)
    return date && `no number, ${date}`
  }

  /**
   * What an invoice is known by: its source and its number, among those of one customer or one job where the source numbers so. One without
   * a number is known by its customer, day and amount, and of equal ones by its place among them.
   */
  invoice(record: JoinedRecord): string {
    const number = this.value('invoices', 'reference', record)
    if (number !== '') return this.invoiceKey(number, record)
    const parts = ['date', 'amount'].map((field) => this.value('invoices', field, record))
    if (parts.every((part) => part === '')) return ''
    for (let n = 1; ; n++) {
      const reference = fingerprint(
        'invoice',
        this.source,
        this.customer(record),
        ...parts,
        ...(n > 1 ? [String(n)] : []),
      )
      if (this.invoicesSeen.firstLine(reference, record.line) === undefined) return reference
      if (this.invoicesSeen.firstLine(reference, record.line) === record.line) return reference
    }
  }

  /** What the invoice of a number is known by, as a record of this customer or job names it. */
  invoiceKey(number: string, record: JoinedRecord): string {
    const { numbers = 'ofCustomer' } = this.file.mapping
    if (numbers === 'ofSource') return invoiceReference(this.source, number)
    const owner =
      numbers === 'ofJob' ? this.value('projects', 'name', record) || this.customer(record) : this.customer(record)
    return invoiceReference(this.source, number, owner)
  }

  /** The invoice that a payment names; blank where it names none. */
  invoiceOfPayment(record: JoinedRecord): string {
    if (this.owns('invoices', record)) return this.invoice(record)
    const number = this.value('payments', 'invoice', record)
    // A file of payments that names neither customer nor job still names its invoice, where only one has the number.
    const isBare = this.customer(record) === '' && this.value('projects', 'name', record) === ''
    const key = (each: string) =>
      isBare && this.file.mapping.numbers !== 'ofSource' ? numbered(each) : this.invoiceKey(each, record)
    return number === '' ? '' : splitNumbers(number).map(key).join(' ')
  }

  /** A job's own id, or the customer and the job's name, or the project that its invoice alone makes. */
  project(record: JoinedRecord): string {
    const id = this.value('projects', 'reference', record)
    if (id !== '') return this.ofSource('job', id)
    const name = this.value('projects', 'name', record)
    if (name !== '') return fingerprint('project', this.customer(record), name)
    const invoice = this.owns('invoices', record) ? this.invoice(record) : ''
    return invoice && projectOfInvoice(invoice)
  }

  /** Reports whether a record's project is one that its invoice alone makes. */
  makesProject = (record: JoinedRecord): boolean =>
    this.value('projects', 'reference', record) === '' && this.value('projects', 'name', record) === ''

  projectName(record: JoinedRecord): string {
    const name = this.value('projects', 'name', record).split('\n')[0]?.slice(0, MOST_TEXT) ?? ''
    if (name !== '') return name
    const id = this.value('projects', 'reference', record)
    return id ? `Job ${id}` : `Invoice ${this.number(record)}`
  }

  /** A payment's own id, or a fingerprint of it; of equal ones, the second and later are numbered. */
  payment(record: JoinedRecord): string {
    const id = this.value('payments', 'reference', record)
    if (id !== '' && !this.owns('invoices', record)) return id
    const parts = ['invoice', 'date', 'amount', 'method', 'type', 'externalReference'].map((field) => {
      if (this.file.mapping.types && field === 'amount') return this.unsigned(record)
      if (this.file.mapping.types && field === 'type') return record.kind
      return this.value('payments', field, record)
    })
    if (this.owns('invoices', record)) parts.push(this.invoice(record))
    for (let n = 1; ; n++) {
      const reference = fingerprint('payment', this.customer(record), ...parts, ...(n > 1 ? [String(n)] : []))
      if (this.paymentsSeen.firstLine(reference, record.line) === undefined) return reference
    }
  }

  /** Reports whether a record has one of a resource. A job that was not billed has no invoice; what nobody will pay has a write-off. */
  owns(resource: ResourceName, record: JoinedRecord): boolean {
    const { mapping } = this.file
    if (
      resource === 'payments' &&
      mapping.fills.invoices &&
      mapping.types === undefined &&
      mapping.fills.payments === undefined
    )
      return this.isWrittenOff(record)
    return this.owners(record).includes(resource) && (resource !== 'invoices' || this.isBilled(record))
  }

  /** Returns the resources that a record's type has, whether or not it is billed. */
  owners = (record: JoinedRecord): readonly ResourceName[] => ownersOf(this.file.mapping, this.own, record)

  /** Reports whether a record is billed: a job is once its status says so. */
  isBilled(record: JoinedRecord): boolean {
    const { billedWhen } = this.file.mapping
    return billedWhen === undefined || billedWhen.is.includes(this.status('projects', record))
  }

  /** The sign that the amount of an invoice has in the books. */
  amount(record: JoinedRecord): string {
    const amount = this.value('invoices', 'amount', record)
    return record.type && isCredit(record.type) ? negative(amount) : amount
  }

  /** What is open of an invoice; of a credit it is negative too, whatever signs its report uses. */
  balance(record: JoinedRecord): string {
    const balance = this.value('invoices', 'balance', record)
    return record.type && isCredit(record.type) ? negative(balance) : balance
  }

  /** What a record's money does: a payment against the signs of its report came back. */
  move(record: JoinedRecord): string {
    if (this.isWrittenOff(record)) return 'write_off'
    const { type } = record
    if (type === undefined) return this.value('payments', 'type', record)
    const isNegative = amountIn(this.value('payments', 'amount', record), this.file.notation)?.startsWith('-') === true
    const usual = this.file.mapping.types?.paymentsNegative === true
    return type === 'payment' && isNegative !== usual ? 'reversal' : (MOVES[type] ?? '')
  }

  /** The amount of a payment as its file writes it, without a sign. */
  private unsigned(record: JoinedRecord): string {
    const { notation } = this.file
    const amount = this.value('payments', 'amount', record)
    const read = amountIn(amount, notation)
    return (read === undefined ? amount : amountAsWritten(centsOf(read), notation)).replace(/^-/, '')
  }

  /** The money of a record, without a sign. */
  moved(record: JoinedRecord): string {
    const { mapping } = this.file
    const amount = this.isWrittenOff(record)
      ? this.value('invoices', 'balance', record) || this.value('invoices', 'amount', record)
      : this.value('payments', 'amount', record) || (mapping.types ? this.value('invoices', 'amount', record) : '')
    return mapping.types || this.isWrittenOff(record) ? negative(amount).replace(/^-/, '') : amount
  }

  /** When a record's money moved. */
  movedOn = (record: JoinedRecord): string =>
    (this.isWrittenOff(record) && this.value('invoices', 'dueDate', record)) ||
    this.value('payments', 'date', record) ||
    this.value('invoices', 'date', record)

  /** The currency that the header of an amount names: `Total (EUR)`. */
  currencyOf(resource: ResourceName): string | undefined {
    const amount = this.file.mapping.fills[resource]?.amount
    return amount === undefined
      ? undefined
      : headersOf(amount)
          .map((header) => currencyIn(header))
          .find(Boolean)
  }

  /** Reports whether a record's documents can be read: a refused row leaves no customer and no job behind. */
  isWhole(record: JoinedRecord): boolean {
    const { notation } = this.file
    const isDay = (text: string) => parseExportedDate(plainDate(text, notation)) !== undefined
    const isAmount = (text: string) => parseMoney(plainAmount(text, notation.decimals)) !== undefined
    if (this.owns('invoices', record))
      return isDay(this.value('invoices', 'date', record)) && isAmount(this.amount(record))
    if (this.owns('payments', record)) return isDay(this.movedOn(record)) && isAmount(this.moved(record))
    return true
  }

  /** The day on which terms of payment end, where a document gives them and no due day. */
  dueDate(record: JoinedRecord): string {
    const given = this.value('invoices', 'dueDate', record)
    if (given !== '') return given
    const days = daysOf(this.value('invoices', 'terms', record))
    const from =
      days === undefined
        ? undefined
        : parseExportedDate(plainDate(this.value('invoices', 'date', record), this.file.notation))
    return from && days !== undefined ? new Date(from.getTime() + days * 86_400_000).toISOString() : ''
  }
}

/** What an invoice is looked up by where only its number is known. */
export const numbered = (number: string): string => `number:${number.replaceAll(' ', '\u00a0')}`

/** An amount with one minus before it. */
const negative = (amount: string): string => {
  const bare = amount.replace(/[-\u2212()<>]|CR$/gi, '').trim()
  return bare === '' ? '' : `-${bare}`
}

/** Returns the days of terms of payment: `Net 30` is 30, `Due on receipt` 0; undefined when they say none. */
export function daysOf(terms: string): number | undefined {
  if (/receipt|immediate|\bcod\b/i.test(terms)) return 0
  const days = /(?:^|net|n\/|within)\s*(\d{1,3})\s*(?:days?)?$/i.exec(terms.trim().slice(0, 60))?.[1]
  return days === undefined ? undefined : Number(days)
}

/** Returns the numbers that a cell names: `101 & 102` are two. */
export const splitNumbers = (cell: string): string[] =>
  cell
    .split(/[,;&\n]| and /)
    .map((part) => part.trim())
    .filter(Boolean)

function fillersOf({ mapping, table, notation }: JoinedFile): Fillers {
  const filling = { index: indexOf(table.header), notation }
  const of = (fields: Record<string, Fill>) =>
    Object.fromEntries(Object.entries(fields).map(([field, fill]) => [field, filler(fill, filling)]))
  return Object.fromEntries(Object.entries(mapping.fills).map(([name, fields]) => [name, of(fields)]))
}
