import type * as z from 'zod'
import type { Words } from '@/lib/core/words'
import type { getCashFlow } from '@/lib/operations/reports/cash-flow'
import { el, type Piece } from './piece'
import { apart, figure, leftOut, notice, type View } from './view'

type Report = z.output<typeof getCashFlow.output>
type Period = Report['periods'][number]

/** The most periods that are drawn; the newest are. */
const MOST = 26

const fits = (value: unknown): value is Report => {
  const { total, periods, currency } = Object(value)
  return typeof Object(total).net === 'number' && Array.isArray(periods) && typeof currency === 'string'
}

function row({ period, invoiced, received, net }: Period, most: number, currency: string, words: Words): Piece {
  const money = (amount: number) => words.money(amount, currency)
  const bar = (name: string, amount: number) =>
    el('span', { class: `flow ${name}`, share: most > 0 ? amount / most : 0 })
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, period),
    el(
      'td',
      { class: 'flows' },
      el(
        'div',
        { role: 'img', label: `Invoiced ${money(invoiced)}, received ${money(received)}` },
        bar('invoiced', invoiced),
        bar('received', received),
      ),
    ),
    el('td', net < 0 ? { class: 'bad' } : {}, money(net)),
  )
}

/** The amounts invoiced and received in each week or month. */
export const cashFlow: View<Report> = {
  name: 'cash-flow',
  fits,
  show({ from, to, currency, total, unpaidAtEnd, periods, otherCurrencies }, words) {
    const days = `${words.day(from)} to ${words.day(to)}`
    const moved = ({ invoiced, received, refunded, reversed }: Period) => [invoiced, received, refunded, reversed]
    const isEmpty = [...periods.flatMap(moved), total.credited, total.writtenOff].every((amount) => !amount)
    if (isEmpty) return notice(`Nothing was invoiced or paid from ${days}.`)
    const drawn = periods.slice(-MOST)
    const most = Math.max(...drawn.flatMap(({ invoiced, received }) => [invoiced, received]))
    const key = (name: string, label: string) => [el('span', { class: `key ${name}` }), label]
    const heads = [['Period'], [...key('invoiced', 'Invoiced'), ...key('received', 'Received')], ['Net received']].map(
      (head) => el('th', { scope: 'col' }, ...head),
    )
    const earlier = periods.length - drawn.length
    return el(
      'main',
      {},
      el('header', {}, el('h1', {}, 'Cash flow'), el('p', { class: 'quiet' }, days)),
      el(
        'dl',
        { class: 'figures' },
        figure('Invoiced', words.money(total.invoiced, currency)),
        figure('Received', words.money(total.received, currency), 'good'),
        figure('Refunded', words.money(total.refunded, currency)),
        figure('Came back', words.money(total.reversed, currency)),
        figure('Net received', words.money(total.net, currency)),
      ),
      apart(currency, words, [
        ['Future (invoiced ahead)', total.invoicedAhead],
        ['Received ahead', total.receivedAhead],
        ['Credited, no money', total.credited],
        ['Written off', total.writtenOff],
        ['Unpaid at the end', unpaidAtEnd],
      ]),
      el(
        'table',
        { class: 'periods' },
        el('thead', {}, el('tr', {}, ...heads)),
        el('tbody', {}, ...drawn.map((period) => row(period, most, currency, words))),
      ),
      leftOut(earlier, earlier === 1 ? 'earlier period is' : 'earlier periods are', otherCurrencies),
      el('p', { class: 'quiet' }, 'Money that came in. Costs are not recorded here, so this is not profit.'),
    )
  },
}
