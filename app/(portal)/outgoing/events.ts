import { sentence } from '@/app/ui/data-column'

/** Returns what an event tells, in words: `invoice.created` is `Invoice created`, and the clock turns an invoice overdue. */
export function eventName(type: string): string {
  const [record = type, change = ''] = type.split('.')
  const told = change !== 'turned' ? change : record === 'estimate' ? 'expired' : 'became overdue'
  return sentence(`${record} ${told}`)
}
