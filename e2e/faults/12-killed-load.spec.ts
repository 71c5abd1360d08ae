import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type Driver, makeHome, plumbline } from '../running'
import { killed } from './killed'
import { report } from './own-postgres'

const ROWS = 20_000
const KILLS = 5

function writeFiles(folder: string): void {
  mkdirSync(folder)
  const lines = (header: string, line: (i: number) => string) =>
    `${[header, ...Array.from({ length: ROWS }, (_, i) => line(i))].join('\n')}\n`
  writeFileSync(
    join(folder, 'customers.csv'),
    lines('Customer ID,Name', (i) => `C${i},Customer ${i}`),
  )
  writeFileSync(
    join(folder, 'projects.csv'),
    lines('Project ID,Customer ID,Name', (i) => `P${i},C${i},Project ${i}`),
  )
}

type Files = { files: { rows: number; added: number; updated: number; unchanged: number; faultCount?: number }[] }
const sum = ({ files }: Files, count: (file: Files['files'][number]) => number) =>
  files.reduce((total, file) => total + count(file), 0)

for (const driver of ['pglite', 'pg'] as Driver[])
  test(`${driver}: a load that is killed leaves whole rows, and goes on where it was when it is run again`, async () => {
    test.skip(driver === 'pg' && process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
    const home = await makeHome(driver)
    try {
      const { id } = JSON.parse(plumbline(home, 'contractors', 'create', 'Killed load', '--json').stdout)
      const folder = join(home.dataDir, 'files')
      writeFiles(folder)
      const args = ['load', '--contractor', id, folder]
      let kills = 0
      for (let i = 0; i < KILLS; i++) if (await killed(home, args, 4_000 + i * 1_500)) kills++
      const rest: Files = JSON.parse(plumbline(home, ...args, '--json').stdout)
      // A kill before the first row would prove nothing.
      expect(sum(rest, ({ unchanged }) => unchanged)).toBeGreaterThan(0)
      const again: Files = JSON.parse(plumbline(home, ...args, '--json').stdout)
      report(12, `load of ${2 * ROWS} rows, killed (${driver})`, [
        { what: 'killed, at least once', value: Math.min(1, kills), exactly: 1 },
        { what: 'rows there already', value: sum(rest, ({ unchanged }) => unchanged), bound: 2 * ROWS },
        {
          what: 'in after one more run',
          value: sum(rest, ({ added, unchanged }) => added + unchanged),
          exactly: 2 * ROWS,
        },
        { what: 'half written, so changed by it', value: sum(rest, ({ updated }) => updated), exactly: 0 },
        { what: 'changed by a second run', value: sum(again, ({ added, updated }) => added + updated), exactly: 0 },
      ])
    } finally {
      await home.remove()
    }
  })
