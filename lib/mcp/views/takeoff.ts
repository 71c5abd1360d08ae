import type * as z from 'zod'
import type { Words } from '@/lib/core/words'
import type { estimateTakeoff } from '@/lib/operations/materials/estimate-takeoff'
import { el, type Piece } from './piece'
import { notice, type View } from './view'

type Report = z.output<typeof estimateTakeoff.output>
type Assembly = Report['assemblies'][number]

const fits = (value: unknown): value is Report =>
  Array.isArray(Object(value).assemblies) && Array.isArray(Object(value).order)

/** Writes `concrete_slab` as people write it. */
const inWords = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')

const list = (title: string, items: readonly string[]) =>
  items.length > 0 &&
  el('div', { class: 'list' }, el('h2', {}, title), el('ul', {}, ...items.map((item) => el('li', {}, item))))

function assembly({ kind, lines, assumptions, notCounted }: Assembly, words: Words): Piece {
  const heads = ['Item', 'Net', 'Order'].map((head) => el('th', { scope: 'col' }, head))
  const rows = lines.map(({ item, netQuantity, netUnit, wastePercent, wasteBasis, orderQuantity, orderUnit }) =>
    el(
      'tr',
      {},
      el(
        'th',
        { scope: 'row' },
        item,
        el('span', { class: 'sub' }, `${words.number(wastePercent)}% waste: ${wasteBasis}`),
      ),
      el('td', {}, `${words.number(netQuantity)} ${netUnit}`),
      el('td', {}, el('strong', {}, `${words.number(orderQuantity)} ${orderUnit}`)),
    ),
  )
  return el(
    'section',
    {},
    el('h2', {}, inWords(kind)),
    el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)),
    list('Assumed', assumptions),
    list('Not counted', notCounted),
  )
}

/** Quantities of materials for pieces of work, with what is assumed and not counted. */
export const takeoff: View<Report> = {
  name: 'takeoff',
  fits,
  show({ assemblies, units }, words) {
    if (assemblies.every(({ lines }) => lines.length === 0))
      return notice('Nothing has to be bought for these dimensions.')
    return el(
      'main',
      {},
      el(
        'header',
        {},
        el('h1', {}, 'Take-off'),
        el('p', { class: 'quiet' }, `Quantities without prices, ${units} units`),
      ),
      ...assemblies.map((each) => assembly(each, words)),
    )
  },
}
