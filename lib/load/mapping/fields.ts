import type { ResourceName } from '@/lib/core/resource-names'

/** The resources that a file of any columns can fill. */
export const MAPPED = [
  'customers',
  'projects',
  'estimates',
  'invoices',
  'payments',
] as const satisfies readonly ResourceName[]
export type Mapped = (typeof MAPPED)[number]

/** The look of the cells of a column that fills a field. */
export type Content = 'date' | 'money' | 'phone' | 'email' | 'id' | 'name' | 'word' | 'text' | 'state' | 'zip' | 'place'

/** A field that a column can fill: `invoices.dueDate`. */
export type Target = {
  field: string
  resource: Mapped
  name: string
  content: Content
  /** The rule where several columns can fill it: the first that is not blank counts, or their texts are joined. */
  several?: 'first' | 'join'
  /** Words that mean it in the name of a column, without those for its resource; '' is the resource's own word. */
  words: string[]
  /** Words of another resource that belong to it. */
  of?: string[]
}

/** Words by which the name of a column says whose it is. */
export const WORDS_OF: Record<Mapped, string[]> = {
  customers: ['customer', 'client', 'homeowner', 'owner', 'contact', 'billing', 'mailing'],
  projects: ['project', 'job', 'site', 'property', 'service', 'jobsite', 'workorder'],
  estimates: ['estimate', 'quote', 'proposal'],
  invoices: ['invoice', 'bill', 'invoiced', 'billed'],
  payments: ['payment', 'receipt', 'deposit'],
}

type Part = Pick<Target, 'name' | 'content' | 'words' | 'several'>

const PLACE: Part[] = [
  {
    name: 'address',
    content: 'place',
    words: ['address', 'street', 'street address', 'address line'],
    several: 'join',
  },
  { name: 'city', content: 'name', words: ['city', 'town', 'municipality'] },
  { name: 'state', content: 'state', words: ['state', 'province', 'region'] },
  { name: 'zip', content: 'zip', words: ['zip', 'zip code', 'postal code', 'postcode', 'postal', 'zipcode'] },
  { name: 'wholeAddress', content: 'place', words: ['full address', 'whole address', 'address', 'location'] },
]
const CREATED: Part = {
  name: 'createdAt',
  content: 'date',
  words: ['created', 'created date', 'date created', 'added', 'entered', 'date entered', 'date added'],
}

/** The fields of each resource, by the names that lib/resources has; `firstName`, `lastName`, `wholeAddress` and `paid` are parts of others. */
const FIELDS: Record<Mapped, Omit<Target, 'field' | 'resource'>[]> = {
  customers: [
    { name: 'reference', content: 'id', words: ['id', 'number', 'account', 'account number', 'code'] },
    {
      name: 'name',
      content: 'name',
      words: ['', 'name', 'full name', 'display name', 'company', 'company name', 'who', 'received from', 'payer'],
    },
    { name: 'firstName', content: 'name', words: ['first name', 'first', 'given name'] },
    { name: 'lastName', content: 'name', words: ['last name', 'last', 'surname', 'family name'] },
    { name: 'email', content: 'email', words: ['email', 'email address', 'mail'], several: 'first' },
    {
      name: 'phone',
      content: 'phone',
      words: ['phone', 'phone number', 'mobile', 'cell', 'telephone', 'home phone', 'cell phone'],
      several: 'first',
    },
    ...PLACE,
    CREATED,
  ],
  projects: [
    { name: 'reference', content: 'id', words: ['id', 'number', 'code', 'reference', 'order number', 'order'] },
    { name: 'name', content: 'text', words: ['', 'name', 'title', 'type', 'work', 'work type', 'type of work'] },
    { name: 'status', content: 'word', words: ['status', 'stage', 'phase', 'milestone'] },
    {
      name: 'totalAmount',
      content: 'money',
      words: [
        'total',
        'amount',
        'value',
        'price',
        'contract',
        'contract amount',
        'contract value',
        'contract price',
        'contract total',
      ],
    },
    ...PLACE,
    {
      name: 'description',
      content: 'text',
      words: ['description', 'scope', 'notes', 'note', 'comments', 'details', 'scope of work', 'remarks', 'memo'],
      several: 'join',
    },
    {
      name: 'startDate',
      content: 'date',
      words: ['start', 'start date', 'started', 'begin', 'scheduled', 'date scheduled', 'install date'],
    },
    {
      name: 'endDate',
      content: 'date',
      words: [
        'end',
        'end date',
        'finished',
        'completed',
        'completed date',
        'date completed',
        'completion date',
        'completion',
        'closed',
        'done',
      ],
    },
    CREATED,
  ],
  estimates: [
    { name: 'reference', content: 'id', words: ['', 'number', 'id', 'reference', 'document number'] },
    {
      name: 'amount',
      content: 'money',
      words: ['amount', 'total', 'total amount', 'grand total', 'sum', 'price', 'value'],
    },
    { name: 'currency', content: 'word', words: ['currency'] },
    {
      name: 'date',
      content: 'date',
      words: ['date', 'issued', 'issue date', 'date issued', 'sent', 'date sent', 'sent on'],
    },
    {
      name: 'validUntil',
      content: 'date',
      words: [
        'valid until',
        'valid through',
        'good until',
        'good through',
        'expires',
        'expires on',
        'expiration',
        'expiration date',
        'expiry date',
        'expiry',
      ],
    },
    { name: 'status', content: 'word', words: ['status', 'outcome', 'result'] },
    CREATED,
  ],
  invoices: [
    { name: 'reference', content: 'id', words: ['', 'number', 'id', 'reference', 'document number'] },
    {
      name: 'amount',
      content: 'money',
      words: [
        'amount',
        'total',
        'total amount',
        'grand total',
        'sum',
        'amount billed',
        'total with tax',
        'price',
        'gross',
        'gross amount',
        'gross total',
      ],
    },
    { name: 'currency', content: 'word', words: ['currency'] },
    { name: 'date', content: 'date', words: ['date', 'issued', 'issue date', 'date issued', 'sent', 'date sent'] },
    { name: 'dueDate', content: 'date', words: ['due date', 'due', 'due on', 'due by', 'pay by'] },
    { name: 'settledAt', content: 'date', words: ['date paid', 'paid date', 'paid on', 'settled'] },
    { name: 'status', content: 'word', words: ['status', 'paid', 'is paid'] },
    { name: 'terms', content: 'word', words: ['terms', 'payment terms'] },
    {
      name: 'balance',
      content: 'money',
      words: ['balance', 'balance due', 'open balance', 'amount due', 'outstanding', 'open', 'still owed', 'owed'],
    },
    {
      name: 'paid',
      content: 'money',
      words: ['paid', 'amount paid', 'paid amount', 'paid to date', 'received', 'collected'],
    },
    { name: 'retainage', content: 'money', words: ['retainage', 'retention', 'held back'] },
    CREATED,
  ],
  payments: [
    { name: 'reference', content: 'id', words: ['id', 'number', 'transaction id', 'transaction number'] },
    { name: 'invoice', content: 'id', words: ['', 'number', 'id', 'reference'], of: ['invoice', 'bill'] },
    {
      name: 'amount',
      content: 'money',
      words: ['', 'amount', 'total', 'paid', 'amount paid', 'paid amount', 'received', 'amount received'],
    },
    { name: 'currency', content: 'word', words: ['currency'] },
    {
      name: 'date',
      content: 'date',
      words: ['date', 'date paid', 'paid date', 'paid on', 'received', 'date received', 'posted'],
    },
    { name: 'method', content: 'word', words: ['method', 'type', 'paid with', 'paid by', 'how paid', 'tender'] },
    {
      name: 'externalReference',
      content: 'id',
      words: ['reference', 'check number', 'check', 'confirmation', 'transaction', 'memo'],
    },
    { name: 'type', content: 'word', words: ['kind', 'transaction type'] },
    CREATED,
  ],
}

/** The fields that a column can fill. */
export const TARGETS: readonly Target[] = MAPPED.flatMap((resource) =>
  FIELDS[resource].map((target) => ({ ...target, resource, field: `${resource}.${target.name}` })),
)

export const findTarget = (field: string): Target | undefined => TARGETS.find((target) => target.field === field)

/** The names people use for a record of each resource. */
export const OWNERS: Record<Mapped, string> = {
  customers: 'Customer',
  projects: 'Project',
  estimates: 'Estimate',
  invoices: 'Invoice',
  payments: 'Payment',
}
const NAMES: Record<string, string> = {
  reference: 'number or id',
  externalReference: 'reference',
  settledAt: 'paid date',
  createdAt: 'created',
  zip: 'ZIP',
  wholeAddress: 'whole address in one cell',
  paid: 'amount paid',
}

/** Returns what a person reads for a field: `Invoice: due date`. */
export const labelOf = ({ resource, name }: Target): string =>
  `${OWNERS[resource]}: ${NAMES[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
