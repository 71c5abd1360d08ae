import type { Words } from '@/lib/core/words'
import { el, type Piece } from './piece'

/** A view of one tool's result. */
export type View<T> = {
  name: string
  /** Reports whether a result has what the view shows; one of another version may not. */
  fits(result: unknown): result is T
  show(result: T, words: Words): Piece
}

/** A figure with its label, as views have them at the top. */
export const figure = (label: string, value: string, tone?: 'bad' | 'good'): Piece =>
  el('div', { class: 'figure' }, el('dt', {}, label), el('dd', tone ? { class: tone } : {}, value))

/** Amounts that stand apart from the figures above them, in smaller type; those that a result of another version lacks are left out. */
export const apart = (
  currency: string,
  words: Words,
  amounts: readonly (readonly [label: string, amount: number])[],
): Piece =>
  el(
    'dl',
    { class: 'figures apart' },
    ...amounts.map(([label, amount]) => Number.isFinite(amount) && figure(label, words.money(amount, currency))),
  )

/** A sentence instead of a view: nothing there yet, nothing to show, or why not. */
export const notice = (text: string, kind: 'status' | 'alert' = 'status'): Piece =>
  el('main', { class: 'notice' }, el('p', { role: kind }, text))

/** Lists what a report leaves out. */
export const leftOut = (more: number, what: string, currencies: readonly string[]): Piece | false => {
  const parts = [
    ...(more > 0 ? [`${more} ${what} not shown.`] : []),
    ...(currencies.length > 0 ? [`Records in ${currencies.join(', ')} are not counted.`] : []),
  ]
  return parts.length > 0 && el('p', { class: 'quiet' }, parts.join(' '))
}

const hasText = (value: unknown): value is { type: 'text'; text: string } =>
  Object(value).type === 'text' && typeof Object(value).text === 'string'

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The data of a result: as data, or from its text where a host passes only that on. */
function dataOf(result: Record<string, unknown>): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent
  const [first] = Array.isArray(result.content) ? result.content : []
  return hasText(first) ? jsonOf(first.text) : undefined
}

/** Returns why a call failed, in its own words. */
function reasonOf({ content }: Record<string, unknown>): string {
  const [first] = Array.isArray(content) ? content : []
  const { error } = Object(hasText(first) ? jsonOf(first.text) : undefined)
  return typeof error === 'string' ? error : 'The tool gave no result.'
}

/** Reports whether the answer was cut to what a model can take (lib/mcp/call-tool.ts says so in its text). */
const isCut = ({ content }: Record<string, unknown>): boolean =>
  Array.isArray(content) && content.some((part) => hasText(part) && part.text.startsWith('Only the first '))

const CUT = el('p', { class: 'quiet' }, 'The result was too long for the conversation; this is its first part.')

/** Returns what is shown of a tool's result: the view, or a sentence that says why there is none. */
export function shown<T>(view: View<T>, result: Record<string, unknown>, words: Words): Piece[] {
  if (result.isError === true) return [notice(reasonOf(result), 'alert')]
  const data = dataOf(result)
  if (!view.fits(data)) return [notice('This result has nothing that can be drawn.', 'alert')]
  return isCut(result) ? [view.show(data, words), CUT] : [view.show(data, words)]
}
