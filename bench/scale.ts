import { type Database, openDatabase } from '@/db/client'
import { getItem, listPage } from '@/db/queries/list'
import type { PageQuery } from '@/db/queries/list-types'
import { loadEnv } from '@/lib/core/env'
import { resources } from '@/lib/resources/registry'
import { type Home, makeHome } from '../e2e/running'
import { invoiceId, makeInvoices } from './books'
import { divide, withEquality } from './divide'
import { note, optionOf } from './figures'
import { median } from './load'

const at = (row: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + row).toISOString()

/** What is asked: a page from each of the three places where one starts, and a record. */
const ASKED = ['first page', 'deep page', 'updatedAfter', 'a record'] as const
type Asked = (typeof ASKED)[number]

/** A table that is asked; `size` is how many rows the contractor has in it. */
type Opened = { db: Database; contractorId: string; size: number }

async function ask({ db, contractorId, size }: Opened, asked: Asked): Promise<void> {
  const { source } = resources.invoices
  const deep = Math.floor(size * 0.9)
  const base = { contractorId, limit: 50, filters: [] }
  const places: Record<Exclude<Asked, 'a record'>, PageQuery> = {
    'first page': { ...base, after: undefined },
    'deep page': { ...base, after: { at: at(deep), id: 'inv_' } },
    updatedAfter: { ...base, after: { at: at(size - 200) } },
  }
  if (asked !== 'a record') await listPage(db, source, places[asked])
  else await getItem(db, source, { contractorId, id: invoiceId(contractorId, deep) })
}

/** Returns the median time of a question to each table. They take turns, and the first 50 rounds warm up. */
async function mediansOf(opened: Opened[], asked: Asked, runs: number): Promise<number[]> {
  const times: number[][] = opened.map(() => [])
  for (let round = -Math.min(50, runs); round < runs; round++) {
    for (const [i, one] of opened.entries()) {
      const began = performance.now()
      await ask(one, asked)
      if (round >= 0) times[i]?.push(performance.now() - began)
    }
  }
  return times.map(median)
}

/** Opens a table of each size, the third one divided, and that one once more with statements of another shape. */
async function openTables(homes: Home[], sizes: number[], parts: number): Promise<Opened[]> {
  const opened: Opened[] = []
  for (const [i, size] of sizes.entries()) {
    const db = await openDatabase({ ...loadEnv(homes[i]?.env), poolSize: 2 })
    const { contractorId } = await makeInvoices(db, size)
    if (i === 2) await divide(db, parts)
    opened.push({ db, contractorId, size })
    console.log(`${size} rows are there${i === 2 ? `, in ${parts} parts` : ''}`)
  }
  const [, , divided] = opened
  return divided ? [...opened, { ...divided, db: withEquality(divided.db) }] : opened
}

/**
 * Runs `npm run bench -- scale [most] [--runs 400] [--parts 16]`: one page of invoices from a table with ten thousand rows and from one with ten
 * million (or as many), in turn, on Postgres; with `--parts` also from one that is divided by contractor.
 */
export async function run(args: string[]): Promise<void> {
  const [runs, parts] = [optionOf(args, '--runs', 400), optionOf(args, '--parts', 0)]
  const most = Number(args[0] ?? 10_000_000)
  const sizes = [Math.min(10_000, most / 10), most, ...(parts > 0 ? [most] : [])]
  const homes = await Promise.all(sizes.map(() => makeHome('pg')))
  const opened = await openTables(homes, sizes, parts)
  for (const asked of ASKED) {
    const [small = Number.NaN, large = Number.NaN, ...divided] = await mediansOf(opened, asked, runs)
    console.log(
      `${asked.padEnd(12)}  ${small.toFixed(3)} ms at ${sizes[0]}, ${large.toFixed(3)} ms at ${most}: ratio ${(large / small).toFixed(2)}`,
    )
    for (const [i, time] of divided.entries())
      console.log(
        `  in ${parts} parts${i > 0 ? ', with an equality' : ''} ${time.toFixed(3)} ms, ratio ${(time / large).toFixed(2)}`,
      )
    note(`${asked} of ${most} rows to one of ${sizes[0]}`, large / small, { goal: { atMost: 1.5 } })
  }
  for (const { db } of opened.slice(0, sizes.length)) await db.close()
  for (const home of homes) await home.remove()
}
