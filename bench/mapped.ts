import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, shareDatabase } from '@/db/client'
import { insertContractor } from '@/db/queries/contractors'
import { loadEnv } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { stopwatch } from '@/lib/core/slices'
import { loadFolder } from '@/lib/load/load'
import { makeHome } from '../e2e/running'
import { databaseOf, driversOf, note } from './figures'
import { median } from './load'

const MIB = 1024 * 1024
/** Invoices of a project, and so of a customer. */
const OF_ONE = 10

type Line = (i: number, projects: number) => string
const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + (i % 700))).toISOString().slice(0, 10)

/** Invoices in dollars, and the payment of each a week later, in turns. */
const transaction: Line = (i, projects) => {
  const n = Math.floor(i / 2)
  const [customer, amount] = [`Customer ${n % projects}`, (10 + (n % 900) / 100).toFixed(2)]
  const us = (days: number) => day(n + days).replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')
  return i % 2 === 0
    ? `${us(0)},Invoice,${1000 + n},Y,${customer},,Accounts Receivable,Sales,${amount}`
    : `${us(7)},Payment,${n},Y,${customer},,Undeposited Funds,Accounts Receivable,${amount}`
}

/** The same books as our own three files and as one sheet with columns of an office's own; and the export of a program. */
const BOOKS: Record<
  'plain' | 'mapped' | 'export',
  { file: string; header: string; perInvoice: boolean; line: Line }[]
> = {
  plain: [
    { file: 'customers.csv', header: 'Customer ID,Name', perInvoice: false, line: (i) => `C${i},Customer ${i}` },
    {
      file: 'projects.csv',
      header: 'Project ID,Customer ID,Name',
      perInvoice: false,
      line: (i) => `P${i},C${i},Project ${i}`,
    },
    {
      file: 'invoices.csv',
      header: 'Invoice Number,Project ID,Amount,Date',
      perInvoice: true,
      line: (i, projects) => `I${i},P${i % projects},10.00,${day(i)}`,
    },
  ],
  mapped: [
    {
      file: 'jobs-billed.csv',
      header: 'Bill No.,Client Code,Client Name,Job Code,Job Title,Billed Amount,Billed On',
      perInvoice: true,
      line: (i, projects) => {
        const of = i % projects
        return `I${i},C${of},Customer ${of},P${of},Project ${of},10.00,${day(i)}`
      },
    },
  ],
  export: [
    {
      file: 'transaction-list.csv',
      header: 'Date,Transaction type,Num,Posting (Y/N),Name,Memo,Account name,Split,Amount',
      perInvoice: true,
      line: transaction,
    },
  ],
}

/** The records that `count` rows make. An invoice of the export gets a project of its own. */
const recordsOf = (of: keyof typeof BOOKS, count: number): number =>
  of === 'export' ? count + Math.ceil(count / 2) + Math.ceil(count / OF_ONE) : count + 2 * Math.ceil(count / OF_ONE)

/** Columns of the sheet and the fields they fill, as a person would confirm them. */
const MAP = [
  ['Bill No.', 'invoices.reference'],
  ['Client Code', 'customers.reference'],
  ['Client Name', 'customers.name'],
  ['Job Code', 'projects.reference'],
  ['Job Title', 'projects.name'],
  ['Billed Amount', 'invoices.amount'],
  ['Billed On', 'invoices.date'],
].map(([column = '', field = '']) => ({ column, field }))

async function makeFolder(of: keyof typeof BOOKS, count: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const projects = Math.ceil(count / OF_ONE)
  for (const { file, header, perInvoice, line } of BOOKS[of]) {
    const written = await open(join(folder, file), 'w')
    const total = perInvoice ? count : projects
    await written.write(header)
    for (let from = 0; from < total; from += 10_000) {
      const lines = Array.from({ length: Math.min(10_000, total - from) }, (_, i) => line(from + i, projects))
      await written.write(`\n${lines.join('\n')}`)
    }
    await written.close()
  }
  return folder
}

/**
 * Watches this process; the function it returns stops, and tells the most memory of an early and of a late third, in MiB, and the longest
 * time in milliseconds that the thread was held.
 */
function watch() {
  const seen: number[] = []
  const timer = setInterval(() => seen.push(process.memoryUsage().rss / MIB), 100)
  let held = stopwatch()
  let longest = 0
  const turn = setInterval(() => {
    longest = Math.max(longest, held())
    held = stopwatch()
  }, 1)
  return () => {
    clearInterval(timer)
    clearInterval(turn)
    const most = (from: number, to: number) =>
      Math.max(...seen.slice(Math.floor(seen.length * from), Math.ceil(seen.length * to)))
    return { early: most(0.1, 0.4), late: most(0.7, 1), longest }
  }
}

async function loadOnce(db: Database, of: keyof typeof BOOKS, count: number): Promise<number> {
  const id = newId('contractor')
  const contractor = await insertContractor(db.orm, { id, slug: id, name: 'Bench' })
  if (!contractor) throw new Error('the id is new')
  const folder = await makeFolder(of, count)
  const stop = watch()
  const cpu = process.cpuUsage()
  const began = performance.now()
  const { files, faultCount } = await loadFolder(db, contractor, folder, of === 'mapped' ? { map: MAP } : {})
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(cpu)
  const { early, late, longest } = stop()
  rmSync(folder, { recursive: true })
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const wanted = recordsOf(of, count)
  if (added !== wanted || faultCount > 0) throw new Error(`${added} of ${wanted} records, ${faultCount} faults`)
  console.log(
    `  ${of.padEnd(6)} ${(added / seconds).toFixed(0).padStart(6)} records/s, ${((used.user + used.system) / added).toFixed(0)} µs of our processor each, ` +
      `memory ${early.toFixed(0)} MB early, ${late.toFixed(0)} MB late, longest slice ${longest.toFixed(0)} ms`,
  )
  return added / seconds
}

/**
 * Runs `npm run bench -- mapped [pg|pglite] [--rows 100000] [--rounds 3]`: the same books as our own files and as one mapped sheet,
 * and the export of a program, in turns. The ratios are those of stored records per second.
 */
export async function run(args: string[]): Promise<void> {
  const option = (name: string, usual: number) => {
    const at = args.indexOf(name)
    const value = at < 0 ? usual : Number(args[at + 1])
    if (!Number.isInteger(value) || value < 1) throw new Error(`${name} wants a whole number from 1 on`)
    return value
  }
  const [count, rounds] = [option('--rows', 100_000), option('--rounds', 3)]
  for (const driver of driversOf(args)) {
    const home = await makeHome(driver)
    const db = await openDatabase({ ...loadEnv(home.env), poolSize: 8 })
    shareDatabase(db)
    console.log(`\n${databaseOf(driver)}: ${count} invoices, and their customers and projects`)
    const [ratios, exports]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const plain = await loadOnce(db, 'plain', count)
      ratios.push((await loadOnce(db, 'mapped', count)) / plain)
      exports.push((await loadOnce(db, 'export', count)) / plain)
    }
    console.log(
      `  ratio ${median(ratios).toFixed(2)} of the plain loader (median of ${rounds}); export ${median(exports).toFixed(2)}`,
    )
    const what = `records/s of a mapped sheet to the plain files, ${databaseOf(driver)}`
    note(what, median(ratios), { goal: { atLeast: 0.7 } })
    note(`records/s of a program's export to the plain files, ${databaseOf(driver)}`, median(exports))
    await db.close()
    await home.remove()
  }
}
