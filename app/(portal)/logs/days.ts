import type { Desk } from '@/lib/core/desk'
import { momentIn } from '@/lib/core/time'
import type { LogDay } from './filters'

const DAY_MS = 86_400_000

/** Returns the contractor's today and yesterday. Apart from the filters, which browsers load without the reckoning of zones. */
export function logDays({ today, zone }: Pick<Desk, 'today' | 'zone'>): LogDay[] {
  const begin = (day: string) => momentIn(zone, `${day}T00:00:00Z`) ?? day
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10)
  return [
    { name: 'Today', from: begin(today) },
    { name: 'Yesterday', from: begin(yesterday), to: begin(today) },
  ]
}
