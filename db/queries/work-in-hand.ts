import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { sharedDatabase } from '@/db/shared'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { type Orm, rows } from '../client'

/** The number of ends of its process in a row after which work is set aside. */
export const MOST_STOPS = 3

/** A piece of work that a later process takes up again: its kind, and what it is done for. */
export type Work = {
  kind: 'source' | 'connector' | 'message' | 'digest' | 'delivery' | 'events' | 'take_back' | 'index' | 'vectors'
  subject: string
  /** The time that work without a lease of its own may take, so that another process can tell it from work that was left. */
  leaseMs?: number
  /** True when work that is set aside stays so for a day; other work is counted from one again once its caller lets it go on. */
  staysAside?: boolean
}

/** The work under way in this process, ended work that the database did not record, and work that runs alone. */
export type InHand = {
  open: Map<string, Work>
  ended: Set<string>
  alone?: { key: string; over: Promise<void>; end: () => void } | undefined
}

const inHandHere = shared<InHand>('workInHand', () => ({ open: new Map(), ended: new Set() }))

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const keyOf = ({ kind, subject }: Work) => `${kind} ${subject}`
const isThat = ({ kind, subject }: Work) => sql`kind = ${kind} and subject = ${subject}`

/** The time that work waits for other work that must run alone. */
const WAIT_MS = 15_000

type Begun = 'begun' | 'later' | 'wait' | { times: number }

/** Decides what to do about work that was noted before: it was left open, or found so earlier. */
async function beginAgain(tx: Orm, work: Work, until: string | null): Promise<Begun> {
  const here = inHandHere()
  const key = keyOf(work)
  const [found] = await rows<{ times: number; isOpen: boolean; isHeld: boolean; isOld: boolean }>(
    tx,
    sql`select times, is_open as "isOpen", coalesce(until > now(), false) as "isHeld",
        begun_at < now() - interval '1 day' as "isOld" from work_in_hand
      where ${isThat(work)} for update`,
  )
  if (!found) return 'later'
  const { times, isOpen, isHeld, isOld } = found
  // It has outlived its lease, and its process is this one.
  if (here.open.has(key)) return isHeld ? 'later' : 'begun'
  const hasEnded = here.ended.has(key)
  if (isOpen && !hasEnded && isHeld) return 'later'
  if (isOpen && !hasEnded) {
    await tx.execute(sql`update work_in_hand set is_open = false where ${isThat(work)}`)
    return { times }
  }
  if (work.staysAside && !isOpen && !isOld && times >= MOST_STOPS) return { times }
  // One at a time: were the process to end, it would be known by which.
  if (here.alone) return 'wait'
  const { promise: over, resolve: end } = withResolvers()
  here.alone = { key, over, end }
  await tx.execute(sql`update work_in_hand set times = ${hasEnded ? 1 : times + 1}, is_open = true,
    until = ${until}::timestamptz, begun_at = now() where ${isThat(work)}`)
  return 'begun'
}

async function beginOnce(orm: Orm, work: Work): Promise<Begun> {
  const { kind, subject, leaseMs } = work
  const until = leaseMs === undefined ? null : new Date(Date.now() + leaseMs).toISOString()
  const noted = await rows(
    orm,
    sql`insert into work_in_hand (kind, subject, times, is_open, until, begun_at)
      values (${kind}, ${subject}, 1, true, ${until}::timestamptz, now()) on conflict do nothing returning 1 as one`,
  )
  return noted.length > 0 ? 'begun' : await orm.transaction((tx) => beginAgain(tx, work, until))
}

/** Notes that work begins; what ended its process before waits for its turn, and nothing says meanwhile that it has begun. */
async function begin(orm: Orm, work: Work): Promise<Exclude<Begun, 'wait'>> {
  for (const end = performance.now() + WAIT_MS; ; ) {
    const how = await beginOnce(orm, work)
    if (how !== 'wait') return how
    const left = end - performance.now()
    if (left <= 0) return 'later'
    await Promise.race([inHandHere().alone?.over, sleep(left, undefined, { ref: false })])
  }
}

/** Notes that work has ended; where the database does not take that, this process remembers it. */
async function end(orm: Orm, work: Work): Promise<void> {
  const here = inHandHere()
  const key = keyOf(work)
  here.open.delete(key)
  try {
    await orm.execute(sql`delete from work_in_hand where ${isThat(work)}`)
    here.ended.delete(key)
  } catch (fault) {
    here.ended.add(key)
    logFault({ operation: 'work_in_hand' }, fault)
  }
  if (here.alone?.key !== key) return
  here.alone.end()
  here.alone = undefined
}

/**
 * Does work that a later process would take up again, were this one to end in the middle of it. That it begins is committed first, so that
 * work which ended its process is known when it is looked at next: it then counts as failed, and the third time in a row the caller sets it
 * aside. What ended its process once runs alone among its like, so that nothing is blamed for what ran beside it.
 * @param begun does it
 * @param left is called in its place when the process that was at it is gone, with how often in a row that was so; from
 * {@link MOST_STOPS} on it sets the work aside
 * @param later is called in its place when somebody else is at it, or at other work that has to be alone
 */
export async function inHand<T>(
  orm: Orm,
  work: Work,
  { begun, left, later }: { begun: () => Promise<T>; left: (times: number) => Promise<T>; later: () => Promise<T> | T },
): Promise<T> {
  const how = await begin(orm, work)
  if (how === 'later') return await later()
  if (how !== 'begun') {
    const done = await left(how.times)
    if (how.times >= MOST_STOPS && !work.staysAside) await end(orm, work)
    return done
  }
  inHandHere().open.set(keyOf(work), work)
  try {
    return await begun()
  } finally {
    await end(orm, work)
  }
}

/** Notes for everything this process is at that it did not end the process: it is stopping because it was asked to. */
export async function putAllDown(): Promise<void> {
  const db = await sharedDatabase().opened?.catch(() => undefined)
  if (db) for (const work of [...inHandHere().open.values()]) await end(db.orm, work)
}
