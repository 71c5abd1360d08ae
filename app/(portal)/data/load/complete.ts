import type { Complete } from '@/lib/load/report'

const numberOf = (text: FormDataEntryValue | null): number | undefined =>
  typeof text === 'string' && text.trim() !== '' ? Number(text) : undefined

/** Returns what a form or a query declares about its files; undefined when they are not declared complete. */
export function completeOf(given: Pick<URLSearchParams | FormData, 'get'>): Complete | undefined {
  const complete = given.get('complete')
  if (complete !== 'count' && complete !== 'delete') return undefined
  return {
    delete: complete === 'delete',
    mostPercent: numberOf(given.get('mostPercent')),
    most: numberOf(given.get('most')),
  }
}
