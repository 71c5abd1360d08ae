import { dayIn } from '@/lib/core/time'

/** A transaction of a history; amounts are in cents. */
export type HistoryEvent = {
  type: 'payment_received' | 'refund' | 'adjustment' | 'reversal' | 'write_off'
  amount: number
  currency: string
  date: Date
}

/** The events of one invoice, as the contractor's software would tell them. Amounts are in cents. */
export type History = {
  project: number
  amount: number
  currency: string
  retainage: number
  date: Date
  due: Date
  paidDate: Date | null
  stated: number | null
  events: HistoryEvent[]
}

/** A generator of numbers from 0 up to 1 that gives the same ones for a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const DAY_MS = 86_400_000

/** Random choices of a seed, and days around a moment. */
class Dice {
  constructor(
    private readonly random: () => number,
    private readonly now: Date,
  ) {}
  chance(share: number): boolean {
    return this.random() < share
  }
  whole(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1))
  }
  currency(): string {
    return this.chance(0.04) ? 'EUR' : 'USD'
  }
  /** A plain day, as files have it, or a moment within it; never within an hour of now, so that no status turns during a test. */
  around(from: number, to: number): Date {
    const day = (Math.floor(this.now.getTime() / DAY_MS) + this.whole(from, to)) * DAY_MS
    const moment = day + this.whole(1, DAY_MS - 1)
    const isNear = Math.abs(moment - this.now.getTime()) < 3_600_000
    return new Date(this.chance(0.7) || isNear ? day : moment)
  }
}

type Part = [type: HistoryEvent['type'], cents: number]

/** Payments of an invoice, some of which come back or are refunded whole or in part. */
function paymentsOf(dice: Dice, size: number): Part[] {
  const parts: Part[] = []
  for (let left = size; left > 0 && dice.chance(0.6); ) {
    const part = dice.chance(0.5) ? left : dice.whole(1, left)
    parts.push(['payment_received', part])
    if (dice.chance(0.12)) parts.push(['reversal', part])
    if (dice.chance(0.08)) parts.push(['refund', dice.chance(0.3) ? part : dice.whole(1, part)])
    left -= part
  }
  return parts
}

/** Returns what was credited, written off and paid too much. */
function correctionsOf(dice: Dice, size: number): Part[] {
  const parts: Part[] = []
  if (dice.chance(0.06)) parts.push(['payment_received', dice.whole(1, 10_000)])
  // Of a payment that is older than the records, or of a credit memo.
  if (dice.chance(0.04)) parts.push(['refund', dice.chance(0.5) ? size : dice.whole(1, Math.max(1, size))])
  if (dice.chance(0.03)) parts.push(['reversal', dice.chance(0.5) ? size : dice.whole(1, Math.max(1, size))])
  if (dice.chance(0.08)) parts.push(['adjustment', dice.whole(-20_000, 20_000)])
  if (dice.chance(0.05)) parts.push(['write_off', dice.whole(1, Math.max(1, size))])
  return parts.filter(([, cents]) => cents !== 0)
}

function randomHistory(dice: Dice, projects: number): History {
  const amount = dice.chance(0.03) ? -dice.whole(1, 50_000) : dice.whole(0, 2_000_000)
  const [size, date, currency] = [Math.abs(amount), dice.around(-500, 60), dice.currency()]
  const held = dice.chance(0.06)
  const states = dice.chance(0.1)
  return {
    project: dice.whole(0, projects - 1),
    amount,
    currency,
    retainage: held ? dice.whole(1, Math.max(1, Math.floor(size / 10))) : 0,
    date,
    due: new Date(date.getTime() + dice.whole(0, 60) * DAY_MS),
    paidDate: dice.chance(0.15) ? dice.around(-400, 20) : null,
    stated: states ? Math.sign(amount) * dice.whole(0, 1) * dice.whole(0, size) : null,
    events: [...paymentsOf(dice, size), ...correctionsOf(dice, size)].map(([type, cents]) => ({
      type,
      amount: cents,
      currency: dice.chance(0.03) ? dice.currency() : currency,
      date: dice.around(-500, 40),
    })),
  }
}

/** Returns random histories around a moment: paid, part paid, reversed, refunded, credited, written off, dated ahead, in two currencies. */
export function randomHistories(count: number, projects: number, now: Date, seed: number): History[] {
  const dice = new Dice(seeded(seed), now)
  return Array.from({ length: count }, () => randomHistory(dice, projects))
}

/** The day of a moment for a contractor: a plain day of a file is stored as midnight UTC and stays that day. */
export const contractorDay = (zone: string, at: Date): string =>
  at.getTime() % DAY_MS === 0 ? at.toISOString().slice(0, 10) : dayIn(zone, at)

/** Sums events by their type. */
function sumsOf(events: HistoryEvent[]) {
  const sums = { payment_received: 0, refund: 0, adjustment: 0, reversal: 0, write_off: 0 }
  for (const { type, amount } of events) sums[type] += amount
  return sums
}

/** Returns what events take off an invoice. */
const takenBy = (sums: ReturnType<typeof sumsOf>) =>
  sums.payment_received + sums.adjustment + sums.write_off - sums.refund - sums.reversal

/**
 * Returns what is open of an invoice, in cents, told from its events one after another as docs/accounting.md says it. Written apart from
 * the SQL, so that each checks the other. `counts` selects the events that count, `states` whether the file's balance is known.
 */
export function openOf(
  { amount, currency, events, stated, paidDate }: History,
  counts: (event: HistoryEvent) => boolean,
  states: boolean,
): number {
  const mine = events.filter((event) => event.currency === currency)
  const told = sumsOf(mine.filter(counts))
  const asked = amount - told.adjustment - told.write_off
  // What is recorded and counts later only is deducted from it already.
  const later = amount > 0 ? Math.max(takenBy(sumsOf(mine.filter((event) => !counts(event)))), 0) : 0
  const said = stated ?? (paidDate ? 0 : null)
  const balance = states && said !== null ? said + later : null
  const back = told.reversal + told.refund
  if (balance !== null && asked < 0) return Math.max(asked - told.payment_received + back, balance)
  let received = told.payment_received
  if (balance !== null) {
    // What came back was received, also where the records lack the payment; only a balance that is not zero has it already.
    const unrecorded = Math.max(back - received, 0)
    received = Math.max(received, back, asked - balance + (balance === 0 ? 0 : unrecorded))
  }
  const kept = received - told.reversal
  const isCovered = kept >= asked
  const isConcession = isCovered && told.refund > 0 && told.refund < kept
  if (isConcession) return Math.min(asked - kept + told.refund, 0)
  return asked - kept + told.refund
}
