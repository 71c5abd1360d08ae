import type * as z from 'zod'
import type { IncomingPart } from '../connector'
import type { Payment } from './shapes'

/** A number of an answer, which has at most two decimals, in whole cents: 12.34 -> 1234n. */
export const centsIn = (amount: number): bigint => BigInt(Math.round(amount * 100))

/** Returns whole cents as the loader reads them: 1234n -> `12.34`. */
export function asText(cents: bigint): string {
  const [sign, whole] = cents < 0n ? ['-', -cents] : ['', cents]
  return `${sign}${whole / 100n}.${String(whole % 100n).padStart(2, '0')}`
}

type Line = { type: string; id: string; cents: bigint }

/** The types that money goes to; the rest of what a payment may link is what pays: credit memos, deposits, journal entries. */
const PAID = ['Invoice']
/** The types for money that went back to the customer, which uses up a credit. */
const PAID_BACK = ['Check', 'Expense', 'Purchase']
/** The type that may stand on either side, as the total shows. */
const EITHER = 'JournalEntry'

const linesOf = ({ Line = [] }: z.output<typeof Payment>): Line[] =>
  Line.flatMap(({ Amount, LinkedTxn: [linked] = [] }) =>
    linked ? [{ type: linked.TxnType, id: linked.TxnId, cents: centsIn(Amount) }] : [],
  )

const sum = (lines: Line[]) => lines.reduce((total, { cents }) => total + cents, 0n)
const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** Splits lines into what is paid and what pays, so that the money makes up the difference; undefined when it does not. */
function sidesOf(lines: Line[], money: bigint, isEitherPaid: boolean) {
  const isPaid = ({ type }: Line) =>
    PAID.includes(type) || PAID_BACK.includes(type) || (isEitherPaid && type === EITHER)
  const paid = lines.filter(isPaid)
  const pays = lines.filter((line) => !isPaid(line))
  return sum(paid) - sum(pays) === money ? { paid, pays } : undefined
}

type Credit = Line & { left: bigint }

/** Returns what a credit that a line uses does: it settles an invoice, or went back to the customer. */
function usedParts({ type, id }: Line, credit: Credit, used: bigint): IncomingPart[] {
  const key = `${type} ${id} by ${credit.type} ${credit.id}`
  const memo = credit.type === 'CreditMemo' ? { entity: 'CreditMemo', id: credit.id } : undefined
  if (PAID_BACK.includes(type)) return memo ? [{ key, type: 'refund', amount: asText(used), invoice: memo }] : []
  if (type !== 'Invoice') return []
  const invoice = { entity: 'Invoice', id }
  const settled: IncomingPart = { key, type: 'adjustment', amount: asText(used), invoice }
  return memo ? [settled, { key: `${key}, used`, type: 'adjustment', amount: asText(-used), invoice: memo }] : [settled]
}

/** The parts of one line: what credits settle of it, and then money. */
function partsOfLine(line: Line, credits: Credit[]): IncomingPart[] {
  const parts: IncomingPart[] = []
  let open = line.cents
  for (const credit of credits) {
    const used = least(open, credit.left)
    if (used <= 0n) continue
    open -= used
    credit.left -= used
    parts.push(...usedParts(line, credit, used))
  }
  if (line.type !== 'Invoice' || open <= 0n) return parts
  const invoice = { entity: 'Invoice', id: line.id }
  return [...parts, { key: `Invoice ${line.id}`, type: 'payment', amount: asText(open), invoice }]
}

/** Gives parts with the same key, of an invoice that is named twice, keys of their own. */
const told = (parts: IncomingPart[]): IncomingPart[] =>
  parts.map((part, i) => {
    const n = parts.slice(0, i).filter(({ key }) => key === part.key).length
    return n === 0 ? part : { ...part, key: `${part.key} (${n + 1})` }
  })

/**
 * Returns what a payment is for. QuickBooks lists the invoices that it pays and the credits that are used with it. Credits are counted
 * first, in the order of the lines, and money pays the rest. A used credit memo is an adjustment of the invoice, and the opposite one of
 * the credit memo, which here is an invoice below zero (docs/accounting.md).
 * @returns why its amounts do not add up, in place of the parts
 */
export function partsOf(it: z.output<typeof Payment>): { parts: IncomingPart[] } | { reason: string } {
  const lines = linesOf(it)
  const total = centsIn(it.TotalAmt)
  const unapplied = centsIn(it.UnappliedAmt ?? 0)
  const sides = sidesOf(lines, total - unapplied, false) ?? sidesOf(lines, total - unapplied, true)
  if (!sides)
    return {
      reason: `its lines add up to ${asText(sum(lines))}, its total is ${asText(total)} and ${asText(unapplied)} of it is unapplied`,
    }
  const credits = sides.pays.map((line) => ({ ...line, left: line.cents }))
  const parts = sides.paid.flatMap((line) => partsOfLine(line, credits))
  const rest: IncomingPart[] = unapplied > 0n ? [{ key: 'unapplied', type: 'payment', amount: asText(unapplied) }] : []
  return { parts: told([...parts, ...rest]) }
}
