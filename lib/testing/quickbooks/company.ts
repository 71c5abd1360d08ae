/** An object as Intuit's API gives it. */
export type Thing = { Id: string; MetaData: { CreateTime: string; LastUpdatedTime: string } } & Record<string, unknown>
type Deleted = { entity: string; id: string; at: string }

const cents = (amount: number) => Math.round(amount * 100)
const amount = (n: number) => n / 100

type Sale = {
  customer: string
  lines: number[]
  tax?: number
  discount?: number
  number?: string
  date?: string
  due?: string
}

/** The books of one company, kept as QuickBooks keeps them: balances follow from payments, and each change has its time. */
export class TestCompany {
  readonly things = new Map<string, Map<string, Thing>>()
  readonly deleted: Deleted[] = []
  private last = 0

  constructor(
    readonly realm: string,
    readonly name: string,
    private readonly clock: () => Date,
  ) {}

  private now = () => this.clock().toISOString()

  of(entity: string): Map<string, Thing> {
    const found = this.things.get(entity) ?? new Map<string, Thing>()
    this.things.set(entity, found)
    return found
  }

  get(entity: string, id: string): Thing {
    const found = this.of(entity).get(id)
    if (!found) throw new Error(`no ${entity} ${id}`)
    return found
  }

  add(entity: string, fields: Record<string, unknown>): string {
    const Id = String(++this.last)
    const at = this.now()
    this.of(entity).set(Id, {
      domain: 'QBO',
      sparse: false,
      Id,
      SyncToken: '0',
      ...fields,
      MetaData: { CreateTime: at, LastUpdatedTime: at },
    })
    return Id
  }

  change(entity: string, id: string, fields: Record<string, unknown>): void {
    Object.assign(this.get(entity, id), fields)
    this.get(entity, id).MetaData.LastUpdatedTime = this.now()
  }

  remove(entity: string, id: string): void {
    if (entity === 'Payment') this.unapply(id)
    this.get(entity, id)
    this.of(entity).delete(id)
    this.deleted.push({ entity, id, at: this.now() })
  }

  customer(name: string, more: Record<string, unknown> = {}): string {
    return this.add('Customer', {
      DisplayName: name,
      FullyQualifiedName: name,
      Job: false,
      Active: true,
      Balance: 0,
      ...more,
    })
  }

  job(parent: string, name: string): string {
    const above = this.get('Customer', parent)
    return this.add('Customer', {
      DisplayName: name,
      FullyQualifiedName: `${above.FullyQualifiedName}:${name}`,
      Job: true,
      Active: true,
      ParentRef: { value: parent },
    })
  }

  private saleOf({ customer, lines, tax = 0, discount = 0, number, date = '2026-10-01' }: Sale) {
    const sum = lines.reduce((total, line) => total + cents(line), 0)
    const Line = [
      ...lines.map((Amount, i) => ({
        Id: String(i + 1),
        LineNum: i + 1,
        Amount,
        DetailType: 'SalesItemLineDetail',
        SalesItemLineDetail: { ItemRef: { value: '1', name: 'Services' } },
      })),
      { Amount: amount(sum), DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} },
      ...(discount
        ? [{ Amount: discount, DetailType: 'DiscountLineDetail', DiscountLineDetail: { PercentBased: false } }]
        : []),
    ]
    const TotalAmt = amount(sum - cents(discount) + cents(tax))
    return {
      ...(number && { DocNumber: number }),
      TxnDate: date,
      CurrencyRef: { value: 'USD', name: 'United States Dollar' },
      CustomerRef: { value: customer, name: String(this.get('Customer', customer).DisplayName) },
      Line,
      TxnTaxDetail: { TotalTax: tax },
      ApplyTaxAfterDiscount: false,
      TotalAmt,
    }
  }

  invoice(sale: Sale): string {
    const it = this.saleOf(sale)
    return this.add('Invoice', { ...it, DueDate: sale.due ?? '2026-10-31', Balance: it.TotalAmt, LinkedTxn: [] })
  }

  creditMemo(sale: Sale): string {
    const it = this.saleOf(sale)
    return this.add('CreditMemo', { ...it, Balance: it.TotalAmt, RemainingCredit: it.TotalAmt })
  }

  salesReceipt(sale: Sale): string {
    return this.add('SalesReceipt', { ...this.saleOf(sale), Balance: 0, PaymentRefNum: '77' })
  }

  refundReceipt(sale: Sale): string {
    return this.add('RefundReceipt', this.saleOf(sale))
  }

  estimate(sale: Sale & { status?: string; expires?: string }): string {
    return this.add('Estimate', {
      ...this.saleOf(sale),
      TxnStatus: sale.status ?? 'Pending',
      ...(sale.expires && { ExpirationDate: sale.expires }),
    })
  }

  /** Adds money that pays invoices; with `credits`, credit memos that are used with it. The rest is unapplied. */
  payment({
    customer,
    total,
    invoices = {},
    credits = {},
    date = '2026-10-10',
    number,
    method,
    methodId,
  }: {
    customer: string
    total: number
    invoices?: Record<string, number>
    credits?: Record<string, number>
    date?: string
    number?: string
    method?: string
    methodId?: string
  }): string {
    const lineOf =
      (TxnType: string) =>
      ([TxnId, Amount]: [string, number]) => ({ Amount, LinkedTxn: [{ TxnId, TxnType }], LineEx: { any: [] } })
    const sum = (of: Record<string, number>) => Object.values(of).reduce((all, each) => all + cents(each), 0)
    for (const [id, paid] of Object.entries(invoices)) this.settle('Invoice', id, -cents(paid))
    for (const [id, used] of Object.entries(credits)) this.settle('CreditMemo', id, -cents(used))
    return this.add('Payment', {
      CustomerRef: { value: customer },
      CurrencyRef: { value: 'USD' },
      TxnDate: date,
      TotalAmt: total,
      UnappliedAmt: amount(cents(total) - sum(invoices) + sum(credits)),
      ...(number && { PaymentRefNum: number }),
      ...(method && { PaymentMethodRef: { value: '2', name: method } }),
      ...(methodId && { PaymentMethodRef: { value: methodId } }),
      Line: [...Object.entries(invoices).map(lineOf('Invoice')), ...Object.entries(credits).map(lineOf('CreditMemo'))],
    })
  }

  private settle(entity: string, id: string, by: number): void {
    const it = this.of(entity).get(id)
    if (!it) return
    const Balance = amount(cents(Number(it.Balance)) + by)
    this.change(entity, id, { Balance, ...(entity === 'CreditMemo' && { RemainingCredit: Balance }) })
  }

  /** Gives back what a payment has settled. */
  private unapply(id: string): void {
    const { Line } = this.get('Payment', id)
    if (!Array.isArray(Line)) return
    for (const {
      Amount,
      LinkedTxn: [{ TxnId, TxnType }],
    } of Line)
      this.settle(TxnType, TxnId, cents(Amount))
  }

  /** Deletes an invoice; what paid it is unapplied. */
  removeInvoice(id: string): void {
    for (const [payment, it] of this.of('Payment')) {
      if (!Array.isArray(it.Line)) continue
      const kept = it.Line.filter(({ LinkedTxn: [{ TxnId, TxnType }] }) => !(TxnType === 'Invoice' && TxnId === id))
      if (kept.length === it.Line.length) continue
      const freed = it.Line.filter((line) => !kept.includes(line)).reduce((n, { Amount }) => n + cents(Amount), 0)
      this.change('Payment', payment, { Line: kept, UnappliedAmt: amount(cents(Number(it.UnappliedAmt)) + freed) })
    }
    this.remove('Invoice', id)
  }

  /** Voids an invoice: it stays, with nothing in it. */
  voidInvoice(id: string): void {
    this.change('Invoice', id, {
      TotalAmt: 0,
      Balance: 0,
      Line: [],
      TxnTaxDetail: { TotalTax: 0 },
      PrivateNote: 'Voided',
    })
  }

  /** The company's own totals, in cents: what reports there say. */
  totals() {
    const sum = (entity: string, field: string) =>
      [...this.of(entity).values()].reduce((n, thing) => n + cents(Number(thing[field] ?? 0)), 0)
    return {
      invoiced: sum('Invoice', 'TotalAmt') + sum('SalesReceipt', 'TotalAmt') - sum('CreditMemo', 'TotalAmt'),
      received: sum('Payment', 'TotalAmt') + sum('SalesReceipt', 'TotalAmt'),
      refunded: sum('RefundReceipt', 'TotalAmt'),
      open: sum('Invoice', 'Balance'),
      credit: sum('CreditMemo', 'Balance'),
      estimated: sum('Estimate', 'TotalAmt'),
    }
  }
}
