import * as z from 'zod'
import { type Database, database } from '@/db/client'
import { countImages, type ImageCount, type ImageKind } from '@/db/queries/load-images'
import { changeJournal, findEarlierLoads, findJournal, forgetEmptyLoad, type Journal } from '@/db/queries/load-journal'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { grouped } from '@/lib/core/text'
import { recoverInterruptedLoad } from '@/lib/load/recover'
import { type Conflicts, conflictsOf, revertLoad } from '@/lib/load/revert-load'
import { acquireLoadTurn } from '@/lib/load/turn'
import { FilterId, Instant } from '@/lib/resources/fields'
import { RESOURCES } from '@/lib/resources/registry'
import { defineOperation } from '../define'

/** The time for which a load can be taken back. */
const UNDO_MS = 24 * 3_600_000

const LastLoad = z.object({
  load: z.string().describe('Its id'),
  files: z.array(z.string()),
  by: z.string().nullable(),
  loadedAt: Instant,
  until: Instant.describe('Until when it can be taken back'),
  state: z.enum(['running', 'ended', 'taking_back', 'taken_back']),
})
/** A load as it is shown to those who may take it back. */
export type ShownLoad = z.output<typeof LastLoad>
const A_LAST_LOAD: ShownLoad = {
  load: 'lod_01k9zq2v6n8m4t5c3b7x1w0jd2',
  files: ['customers.csv'],
  by: 'Nora Whitfield <nora@example.com>',
  loadedAt: '2026-11-20T02:30:00.000Z',
  until: '2026-11-21T02:30:00.000Z',
  state: 'ended',
}

type Stored = Pick<Journal, 'loadId' | 'files' | 'author' | 'createdAt' | 'state'>

const shown = ({ loadId, files, author, createdAt, state }: Stored): ShownLoad => ({
  load: loadId,
  files,
  by: author,
  loadedAt: createdAt.toISOString(),
  until: new Date(createdAt.getTime() + UNDO_MS).toISOString(),
  state,
})

/** The changes of a load beyond which they are not counted: they take a tenth of a second. */
const MOST_COUNTED = 100_000

const Counts = z.array(z.object({ records: z.string().describe('Such as `customers`'), count: z.int() }))
const Effect = z.object({
  load: z.string(),
  removed: Counts.describe('Records that it added'),
  putBack: Counts.describe('Records that it changed'),
  restored: Counts.describe('Records that it deleted'),
})
/** What taking back a load does to the records. */
export type UndoEffect = z.output<typeof Effect>

/** What the rows of tables are called, one and many, in the order of the lists. */
const ROWS: Record<string, readonly [one: string, many: string]> = {
  ...Object.fromEntries(RESOURCES.map(({ source, singular, name }) => [source.table, [singular, name] as const])),
  analytics_revenue_transactions: ['payment or credit', 'payments and credits'],
  project_materials: ['material of a project', 'materials of projects'],
  material_prices: ['price of a material', 'prices of materials'],
}
const TABLES = Object.keys(ROWS)

function countsOf(counted: ImageCount[], kind: ImageKind): z.output<typeof Counts> {
  return counted
    .filter((each) => each.kind === kind)
    .sort((a, b) => TABLES.indexOf(a.table) - TABLES.indexOf(b.table))
    .map(({ table, count }) => {
      const [one, many] = ROWS[table] ?? [table, table]
      return { records: count === 1 ? one : many, count }
    })
}

const effectOf = (load: string, counted: ImageCount[]): UndoEffect => ({
  load,
  removed: countsOf(counted, 'added'),
  putBack: countsOf(counted, 'updated'),
  restored: countsOf(counted, 'deleted'),
})

/** Says what taking back a load does: `Removes 120 customers, 340 invoices. Restores 2 estimates.` Empty where it changed no record. */
export function undoText({ removed, putBack, restored }: UndoEffect): string {
  const said = (verb: string, counts: UndoEffect['removed'], end = '') =>
    counts.length === 0
      ? []
      : [`${verb} ${counts.map(({ records, count }) => `${grouped(count)} ${records}`).join(', ')}${end}.`]
  return [
    ...said('Removes', removed),
    ...said('Changes', putBack, ' back to what they were'),
    ...said('Restores', restored),
  ].join(' ')
}

const undoableSince = (now: Date) => new Date(now.getTime() - UNDO_MS)

/** Shows the contractor's last load and those before it that changed something, and until when each can be taken back. */
export const getLastLoad = defineOperation({
  name: 'get_last_load',
  title: 'Get the last load',
  description:
    'The last load of a contractor, by whatever way it came, and until when it can be taken back; and those before it, which can be taken back after it.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    last: LastLoad.nullable(),
    earlier: z.array(LastLoad).describe('Earlier loads of a day that changed something, the latest first'),
    takesBack: Effect.nullable().describe(
      'What taking back the next one does; null when none can be taken back now, or it changed more than 100,000 records',
    ),
  }),
  example: {
    last: A_LAST_LOAD,
    earlier: [],
    takesBack: { load: A_LAST_LOAD.load, removed: [{ records: 'customers', count: 2 }], putBack: [], restored: [] },
  },
  run: async ({ actor, now }) => {
    const { orm } = await database()
    const since = undoableSince(now)
    const journal = await findJournal(orm, actor.contractorId)
    const earlier = await findEarlierLoads(orm, actor.contractorId, since)
    const last = journal && journal.createdAt >= since ? journal : undefined
    const [before] = earlier
    const next = !last || last.state === 'taken_back' ? before : last.state === 'ended' ? last : undefined
    const lastImage = next === before ? before?.lastImage : undefined
    const counted = next && (await countImages(orm, actor.contractorId, { lastImage, most: MOST_COUNTED }))
    return {
      last: last ? shown(last) : null,
      earlier: earlier.map((load) => shown({ ...load, state: 'ended' })),
      takesBack: next && counted ? effectOf(next.loadId, counted) : null,
    }
  },
})

const count = (n: number) => n.toLocaleString('en-US')

/**
 * Finds the load that is to be taken back: the last one, or the one before where those after it were taken back.
 * @throws ServiceError `not_found` or `conflict` when it cannot be taken back
 */
async function requireUndoable(db: Database, contractorId: string, load: string, now: Date): Promise<Journal> {
  let journal = await findJournal(db.orm, contractorId)
  if (journal?.state === 'taken_back' && journal.loadId !== load) {
    const [before] = await findEarlierLoads(db.orm, contractorId, undoableSince(now))
    if (before?.loadId === load && (await forgetEmptyLoad(db, contractorId)))
      journal = await findJournal(db.orm, contractorId)
  }
  if (!journal || journal.loadId !== load)
    throw new ServiceError(
      'not_found',
      'This is not the last load, and loads are taken back from the last one on. Nothing was changed.',
    )
  if (journal.state === 'taken_back')
    throw new ServiceError('conflict', 'This load was taken back already. Nothing was changed.')
  if (journal.createdAt < undoableSince(now))
    throw new ServiceError(
      'conflict',
      'This load is older than a day and can no longer be taken back. Nothing was changed.',
    )
  return journal
}

function refuseConflicts({ count: n, named }: Conflicts): void {
  if (n === 0) return
  const more = n > named.length ? ` and ${count(n - named.length)} more` : ''
  throw new ServiceError(
    'conflict',
    `The load was not taken back, because ${n === 1 ? 'one record is' : `${count(n)} records are`} no longer as it left them: ` +
      `${named.join('; ')}${more}. Nothing was changed. Correct the file and load it again instead.`,
  )
}

/** Takes the contractor's last load back; those before it can be taken back after that. */
export const undoLoad = defineOperation({
  name: 'undo_load',
  title: 'Take back the last load',
  description:
    'Puts records back as they were before the last load, within a day, and after it those before: what it added is removed, what it changed or deleted is as before. Refused where somebody changed them since. The changes feed tells of it.',
  access: 'admin',
  effect: 'write',
  input: z
    .object({
      load: FilterId.max(40).describe('The last load’s id, so that nobody takes back another one'),
      onProgress: z.custom<(done: number) => void>((value) => typeof value === 'function').optional(),
    })
    .strict(),
  output: z.object({
    load: z.string(),
    files: z.array(z.string()),
    removed: z.int().describe('Records that the load had added'),
    putBack: z.int().describe('Records that it had changed'),
    restored: z.int().describe('Records that it had deleted'),
    kept: z.array(z.string()).describe('Records that somebody changed while it was taken back'),
  }),
  example: { load: A_LAST_LOAD.load, files: ['customers.csv'], removed: 2, putBack: 0, restored: 0, kept: [] },
  run: async ({ actor, now }, { load, onProgress }) => {
    const db = await database()
    const { contractorId } = actor
    const giveBack = await acquireLoadTurn(contractorId)
    try {
      await requireUndoable(db, contractorId, load, now)
      await recoverInterruptedLoad(db, contractorId)
      const journal = await requireUndoable(db, contractorId, load, now)
      const place = { db, contractorId }
      refuseConflicts(await conflictsOf(place))
      const isMine = await changeJournal(db, contractorId, { state: 'taking_back' }, { loadId: load, state: 'ended' })
      if (!isMine) throw new ServiceError('conflict', 'This load changed in the meantime. Nothing was changed.')
      const { done, kept } = await revertLoad(place, { onProgress })
      await changeJournal(db, contractorId, { state: 'taken_back' })
      const { files } = shown(journal)
      await audit(db.orm, personOf(actor), {
        event: 'load_taken_back',
        subject: files.join(', '),
        detail: { load, ...done },
      })
      return { load, files, ...done, kept: kept.named }
    } finally {
      await giveBack()
    }
  },
})
