import { type Database, openDatabase } from '@/db/client'
import { listPage, type PageQuery } from '@/db/queries/list'
import { loadEnv } from '@/lib/core/env'
import { resources } from '@/lib/resources/registry'
import { makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { note, optionOf } from './figures'
import { median } from './load'

const at = (row: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + row).toISOString()

/** The three ways a page starts: at the beginning, deep in a list by token, and by `updatedAfter`. */
function questions(contractorId: string, size: number): Record<string, PageQuery> {
  const deep = Math.floor(size * 0.9)
  const base = { contractorId, limit: 50, filters: [] }
  return {
    'first page': { ...base, after: undefined },
    'deep page': { ...base, after: { at: at(deep), id: 'inv_' } },
    updatedAfter: { ...base, after: { at: at(size - 200) } },
  }
}

async function time(db: Database, query: PageQuery): Promise<number> {
  const began = performance.now()
  await listPage(db, resources.invoices.source, query)
  return performance.now() - began
}

type Opened = { db: Database; asked: Record<string, PageQuery> }

/** Returns the median time of a request at each table size. The sizes take turns, and the first 50 rounds warm up. */
async function mediansOf(opened: Opened[], name: string, runs: number): Promise<number[]> {
  const times: number[][] = opened.map(() => [])
  for (let round = -Math.min(50, runs); round < runs; round++) {
    for (const [i, { db, asked }] of opened.entries()) {
      const query = asked[name]
      const took = query ? await time(db, query) : Number.NaN
      if (round >= 0) times[i]?.push(took)
    }
  }
  return times.map(median)
}

/**
 * `npm run bench -- scale [most] [--runs 400]`: one page of invoices from a table with ten thousand rows and from one with ten million (or as many), in turn, on
 * Postgres.
 */
export async function run(args: string[]): Promise<void> {
  const [most, runs] = [Number(args[0] ?? 10_000_000), optionOf(args, '--runs', 400)]
  const sizes = [Math.min(10_000, most / 10), most]
  const homes = await Promise.all(sizes.map(() => makeHome('pg')))
  const opened: Opened[] = []
  for (const [i, size] of sizes.entries()) {
    const db = await openDatabase({ ...loadEnv(homes[i]?.env), poolSize: 2 })
    const { contractorId } = await makeInvoices(db, size)
    opened.push({ db, asked: questions(contractorId, size) })
    console.log(`${size} rows are there`)
  }
  for (const name of ['first page', 'deep page', 'updatedAfter']) {
    const [small = Number.NaN, large = Number.NaN] = await mediansOf(opened, name, runs)
    console.log(
      `${name.padEnd(12)}  ${small.toFixed(3)} ms at ${sizes[0]}, ${large.toFixed(3)} ms at ${most}: ratio ${(large / small).toFixed(2)}`,
    )
    note(`${name} of ${most} rows to one of ${sizes[0]}`, large / small, { goal: { atMost: 1.5 } })
  }
  for (const { db } of opened) await db.close()
  for (const home of homes) await home.remove()
}
