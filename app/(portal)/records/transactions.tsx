import { sentence } from '@/app/ui/data-column'
import type { TimelineEvent } from '@/app/ui/timeline'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import { methodOf, pageOf } from './columns'

/** A payment, or what else changes what is owed, as an operation tells it. */
export type Transaction = {
  id: string
  type: string
  date: string
  amount: number
  currency: string
  method: string
  methodDetail?: string | undefined
  reference?: string | undefined
  paymentId?: string | undefined
  invoiceId?: string | undefined
  invoiceNumber?: string | undefined
  otherCurrency: boolean
  ahead: boolean
}

const NAMES: Record<string, string> = {
  payment_received: 'Payment',
  refund: 'Refund',
  reversal: 'Payment came back',
  adjustment: 'Credit',
  credit: 'Credit',
  write_off: 'Written off',
  allocation: 'Payment applied',
}

/** Returns what a kind of transaction is called. */
export const transactionName = (type: string): string => NAMES[type] ?? sentence(type)

/** Types that add to what is owed. */
const ADDING = ['refund', 'reversal']

/** Returns the event of a transaction; its amount with a minus where it takes off what is owed. */
export function eventOf(transaction: Transaction, at: Desk): TimelineEvent {
  const { id, type, date, amount, currency, reference, paymentId, otherCurrency, ahead } = transaction
  const payment = paymentId ?? (type === 'payment_received' ? id : undefined)
  const name = transactionName(type)
  const how = ['payment_received', 'refund', 'allocation'].includes(type) ? methodOf(transaction) : undefined
  const text = [how, reference && cleanText(reference), otherCurrency && 'In another currency: it settles nothing here']
  return {
    key: id,
    day: date,
    when: at.words.day(date),
    title: payment ? <a href={pageOf('payment', payment)}>{name}</a> : name,
    text: [...text, ahead && 'Dated ahead: it counts from that day on'].filter(Boolean).join(' · '),
    amount: at.words.money(ADDING.includes(type) ? amount : -amount, currency),
    isAhead: ahead,
  }
}
