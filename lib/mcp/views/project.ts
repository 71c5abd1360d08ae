import type * as z from 'zod'
import type { Words } from '@/lib/core/words'
import type { getProjectFinancials } from '@/lib/operations/reports/project-financials'
import { el, type Piece } from './piece'
import { apart, figure, leftOut, type View } from './view'

type Report = z.output<typeof getProjectFinancials.output>
type Line = Report['invoices'][number]

const fits = (value: unknown): value is Report => {
  const { project, unpaid, invoices, currency } = Object(value)
  const isNamed = typeof Object(project).name === 'string'
  return isNamed && typeof unpaid === 'number' && Array.isArray(invoices) && typeof currency === 'string'
}

/** Writes `in_progress` as people write it. */
const inWords = (status: string) => status.replaceAll('_', ' ')

function row(
  { number, dueDate, status, amount, unpaid, future, retainage }: Line,
  currency: string,
  words: Words,
): Piece {
  const told = [
    `Due ${words.day(dueDate)}`,
    status,
    ...(future ? [`dated ahead ${words.money(future, currency)}`] : []),
    ...(retainage ? [`retainage ${words.money(retainage, currency)}`] : []),
  ]
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, number, el('span', { class: 'sub' }, told.join(', '))),
    el('td', {}, words.money(amount, currency)),
    el('td', status === 'overdue' ? { class: 'bad' } : {}, words.money(unpaid, currency)),
  )
}

/** The money of one project: the amounts due now, not yet due and held apart, and its invoices. */
export const project: View<Report> = {
  name: 'project',
  fits,
  show(report, words) {
    const { project: told, currency, unpaid, overdue, notYetDue, balance, invoices, more, otherCurrencies } = report
    const money = (amount: number) => words.money(amount, currency)
    const heads = ['Invoice', 'Amount', 'Unpaid'].map((head) => el('th', { scope: 'col' }, head))
    return el(
      'main',
      {},
      el('header', {}, el('h1', {}, told.name), el('p', { class: 'quiet' }, inWords(told.status))),
      el(
        'dl',
        { class: 'figures' },
        figure('Unpaid', money(unpaid)),
        figure('Due now (overdue)', money(overdue), overdue > 0 ? 'bad' : undefined),
        figure('Not yet due', money(notYetDue)),
        figure('Balance', money(balance)),
      ),
      el('h2', {}, 'Not in unpaid'),
      apart(currency, words, [
        ['Future (dated ahead)', report.future],
        ['Retainage', report.retainage],
        ['Unapplied (in credit)', report.unapplied],
        ['Written off', report.writtenOff],
      ]),
      el('h2', {}, 'Booked up to now'),
      apart(currency, words, [
        ['Invoiced', report.invoiced],
        ['Paid', report.paid],
        ['Refunded', report.refunded],
        ['Came back', report.reversed],
        ['Credited', report.credited],
      ]),
      el('p', { class: 'quiet' }, `Contract sum ${words.money(told.totalAmount, told.currency)}`),
      invoices.length > 0 &&
        el(
          'table',
          {},
          el('thead', {}, el('tr', {}, ...heads)),
          el('tbody', {}, ...invoices.map((line) => row(line, currency, words))),
        ),
      leftOut(more, more === 1 ? 'more invoice is' : 'more invoices are', otherCurrencies),
    )
  },
}
