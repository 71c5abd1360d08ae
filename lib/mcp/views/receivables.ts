import type * as z from 'zod'
import type { Words } from '@/lib/core/words'
import type { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { el, type Piece } from './piece'
import { apart, figure, leftOut, notice, type View } from './view'

type Report = z.output<typeof getReceivablesAging.output>
type Customer = Report['customers'][number]

const AGES = [
  ['current', 'Not yet due'],
  ['days1to30', '1–30 days'],
  ['days31to60', '31–60 days'],
  ['days61to90', '61–90 days'],
  ['over90', 'Over 90 days'],
] as const

const fits = (value: unknown): value is Report => {
  const { total, customers, currency } = Object(value)
  return typeof Object(total).unpaid === 'number' && Array.isArray(customers) && typeof currency === 'string'
}

function ages({ total, currency }: Report, words: Words): Piece {
  const money = (amount: number) => words.money(amount, currency)
  const told = AGES.map(([age, label]) => `${label} ${money(total[age])}`).join(', ')
  const bar = AGES.map(([age]) =>
    el('span', { class: `age ${age}`, share: total.unpaid > 0 ? total[age] / total.unpaid : 0 }),
  )
  const legend = AGES.map(([age, label]) =>
    el(
      'li',
      {},
      el('span', { class: `key ${age}` }),
      el('span', { class: 'label' }, label),
      el('span', { class: 'amount' }, money(total[age])),
    ),
  )
  return el(
    'section',
    {},
    el('div', { class: 'bar', role: 'img', label: told }, ...bar),
    el('ul', { class: 'legend' }, ...legend),
  )
}

function row(customer: Customer, currency: string, words: Words): Piece {
  const { name, unpaid, overdue, retainage, unapplied, writtenOff, oldestDueDate, lastPaymentDate } = customer
  const told = [
    `Oldest due ${words.day(oldestDueDate)}`,
    lastPaymentDate === null ? 'never paid' : `last paid ${words.day(lastPaymentDate)}`,
    ...[...Object.entries({ 'in credit': unapplied, retainage, 'written off': writtenOff })].flatMap(
      ([label, amount]) => (amount ? `${label} ${words.money(amount, currency)}` : []),
    ),
  ]
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, name, el('span', { class: 'sub' }, told.join(', '))),
    el('td', {}, words.money(unpaid, currency)),
    el('td', overdue > 0 ? { class: 'bad' } : {}, words.money(overdue, currency)),
  )
}

/** The amounts that customers owe, by age and by customer. */
export const receivables: View<Report> = {
  name: 'receivables',
  fits,
  show(report, words) {
    const { asOf, currency, total, customers, more, otherCurrencies } = report
    const { unpaid, overdue, current, future, retainage, unapplied, writtenOff } = total
    const isEmpty = [unpaid, future, retainage, unapplied, writtenOff].every((amount) => !amount)
    if (isEmpty) return notice(`Nothing is unpaid as of ${words.day(asOf)}.`)
    const heads = ['Customer', 'Unpaid', 'Overdue'].map((head) => el('th', { scope: 'col' }, head))
    return el(
      'main',
      {},
      el('header', {}, el('h1', {}, 'Receivables'), el('p', { class: 'quiet' }, `As of ${words.day(asOf)}`)),
      el(
        'dl',
        { class: 'figures' },
        figure('Unpaid', words.money(unpaid, currency)),
        figure('Due now (overdue)', words.money(overdue, currency), overdue > 0 ? 'bad' : undefined),
        figure('Not yet due', words.money(current, currency)),
        figure('Invoices', words.number(total.invoices)),
      ),
      unpaid > 0 && ages(report, words),
      el('h2', {}, 'Not in unpaid'),
      apart(currency, words, [
        ['Future (dated ahead)', future],
        ['Retainage', retainage],
        ['Unapplied (in credit)', unapplied],
        ['Written off', writtenOff],
      ]),
      customers.length > 0 &&
        el(
          'table',
          {},
          el('thead', {}, el('tr', {}, ...heads)),
          el('tbody', {}, ...customers.map((customer) => row(customer, currency, words))),
        ),
      leftOut(more, more === 1 ? 'more customer is' : 'more customers are', otherCurrencies),
    )
  },
}
