import { MAPPED, type Mapped, type Target, WORDS_OF } from './fields'

/** The words that abbreviations and other spellings in the names of columns stand for. */
const SPELLINGS: Record<string, string> = {
  ...{ cust: 'customer', cst: 'customer', clnt: 'client', customers: 'customer', clients: 'client' },
  ...{
    nm: 'name',
    nme: 'name',
    fname: 'first name',
    lname: 'last name',
    firstname: 'first name',
    forename: 'first name',
    lastname: 'last name',
  },
  ...{
    ph: 'phone',
    phn: 'phone',
    tel: 'telephone',
    fon: 'phone',
    phones: 'phone',
    mob: 'mobile',
    cellphone: 'cell phone',
  },
  ...{ addr: 'address', adr: 'address', add: 'address', st: 'state', prov: 'province', emails: 'email' },
  ...{ no: 'number', num: 'number', nr: 'number', nbr: 'number', '#': 'number', ref: 'reference', acct: 'account' },
  ...{
    inv: 'invoice',
    invoices: 'invoice',
    invno: 'invoice number',
    pmt: 'payment',
    pymt: 'payment',
    pay: 'payment',
    payments: 'payment',
  },
  ...{ estimates: 'estimate', quotes: 'quote', qte: 'quote', quotation: 'quote', proposals: 'proposal' },
  ...{
    amt: 'amount',
    amnt: 'amount',
    tot: 'total',
    bal: 'balance',
    dt: 'date',
    dte: 'date',
    chk: 'check',
    cheque: 'check',
    ck: 'check',
  },
  ...{
    proj: 'project',
    jobs: 'job',
    wo: 'workorder',
    desc: 'description',
    descr: 'description',
    comp: 'completed',
    recd: 'received',
  },
  ...{
    mail: 'email',
    duedate: 'due date',
    sched: 'scheduled',
    stat: 'status',
    tele: 'telephone',
    rcvd: 'received',
    compl: 'completed',
    pd: 'paid',
  },
}

/** The words of French, German and Spanish sheets, without accents. */
const TRANSLATED: Record<string, string> = {
  ...{
    numero: 'number',
    facture: 'invoice',
    factures: 'invoice',
    echeance: 'due date',
    montant: 'amount',
    solde: 'balance',
    paye: 'paid',
  },
  ...{
    regle: 'paid',
    statut: 'status',
    nom: 'name',
    adresse: 'address',
    ville: 'city',
    telephone: 'phone',
    courriel: 'email',
  },
  ...{
    devis: 'estimate',
    paiement: 'payment',
    reglement: 'payment',
    chantier: 'project',
    ttc: 'gross',
    ht: 'net',
    tva: 'vat',
  },
  ...{
    rechnung: 'invoice',
    rechnungen: 'invoice',
    rechnungsnummer: 'invoice number',
    rechnungsnr: 'invoice number',
    rechnungsdatum: 'invoice date',
  },
  ...{
    nummer: 'number',
    kunde: 'customer',
    kunden: 'customer',
    kundenname: 'customer name',
    kundennummer: 'customer number',
    datum: 'date',
  },
  ...{
    fallig: 'due',
    falligkeit: 'due date',
    falligkeitsdatum: 'due date',
    betrag: 'amount',
    rechnungsbetrag: 'amount',
    gesamt: 'total',
  },
  ...{
    gesamtbetrag: 'total',
    summe: 'total',
    bezahlt: 'paid',
    offen: 'open',
    saldo: 'balance',
    ort: 'city',
    plz: 'zip',
    strasse: 'street',
  },
  ...{
    telefon: 'phone',
    angebot: 'estimate',
    zahlung: 'payment',
    zahlungsdatum: 'payment date',
    projekt: 'project',
    netto: 'net',
    brutto: 'gross',
  },
  ...{
    mwst: 'vat',
    factura: 'invoice',
    facturas: 'invoice',
    cliente: 'customer',
    fecha: 'date',
    vencimiento: 'due date',
    importe: 'amount',
  },
  ...{
    monto: 'amount',
    pagado: 'paid',
    nombre: 'name',
    direccion: 'address',
    ciudad: 'city',
    telefono: 'phone',
    correo: 'email',
  },
  ...{ am: 'on', presupuesto: 'estimate', pago: 'payment', proyecto: 'project', iva: 'vat' },
}

const EMPTY = [
  'the',
  'of',
  'a',
  'an',
  'our',
  'is',
  'in',
  'for',
  'usd',
  'info',
  'main',
  'primary',
  'this',
  'est',
  'estimated',
  'planned',
  'expected',
]

/** Words of columns that are about neither the customer nor the money: whoever they name works for the contractor or sells to it. */
const OTHERS =
  'crew rep salesperson sales employee estimator vendor supplier sub subcontractor manager foreman tech technician assigned adjuster insurance claim emergency spouse commission margin profit cost costs permit lat latitude long longitude tax deductible carrier referral photo photos link url folder rating'.split(
    ' ',
  )

/** Reports whether the name of a column is about neither the customer nor the money. */
export const isOfOthers = (words: string[]): boolean => words.some((word) => OTHERS.includes(word))

const wordFor = (words: Record<string, string>, word: string): string | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined

/** The words of a column's name, spelled out: `CustPh#` is customer, phone, number. */
export function wordsIn(header: string): string[] {
  const parted = header
    .replace(/e-?mails?\b/gi, 'email')
    .replace(/mwst/gi, 'vat')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/#/g, ' # ')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
  const words = parted.split(/[^\p{L}\p{N}#]+/u).flatMap((word) => {
    const bare = word.replace(/^(\p{L}+)\d{1,2}$/u, '$1')
    return (wordFor(SPELLINGS, bare) ?? wordFor(TRANSLATED, bare) ?? bare).split(' ')
  })
  return words.filter((word) => word !== '' && !/^\d+$/.test(word) && !EMPTY.includes(word))
}

const OWNED = MAPPED.flatMap((resource) => WORDS_OF[resource])

/** Returns how much of what is left of a name a phrase is: 1 for all of it. */
function phraseIn(phrase: string, rest: string[]): number {
  const words = phrase.split(' ').filter(Boolean)
  if (words.length === 0) return rest.length === 0 ? 0.9 : 0
  if (!words.every((word) => rest.includes(word))) return 0
  return words.length === rest.length ? 1 : 0.5 + (0.35 * words.length) / rest.length
}

/**
 * Returns how well the name of a column means a field, from 0 to 1.
 * @param subject what the rows of the file are: a name that says no resource means that one's field
 */
export function nameFits(
  header: string,
  { resource, words: phrases, of = WORDS_OF[resource], content }: Target,
  subject: Mapped,
): number {
  const words = wordsIn(header)
  if (words.length === 0 || words.some((word) => OTHERS.includes(word))) return 0
  const isOwn = words.some((word) => of.includes(word))
  const isOther = words.some((word) => OWNED.includes(word) && !of.includes(word))
  if (isOther && !isOwn) return 0
  const rest = words.filter((word) => !OWNED.includes(word))
  // `Scope / Notes` is two words that each mean it.
  const isEach = rest.length > 1 && rest.every((word) => phrases.includes(word))
  const best = Math.max(isEach ? 0.9 : 0, ...phrases.map((phrase) => phraseIn(phrase, rest)))
  if (isOwn) return best * (isOther ? 0.8 : 1)
  const isContact = resource === 'customers' && ['phone', 'email', 'place', 'zip', 'state', 'name'].includes(content)
  return rest.length === 0 ? 0 : best * (resource === subject || isContact ? 0.9 : 0.6)
}
