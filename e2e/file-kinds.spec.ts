import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import ssh2 from 'ssh2'
import writeWorkbook, { type SheetData } from 'write-excel-file/node'
import { ENDINGS } from '../lib/knowledge/retrieval/readers/read'
import { TABLE_ENDINGS } from '../lib/load/join/find'
import { expect, test } from './fixtures'
import { command, kindOf, launch, makeHome, plumbline } from './running'
import { stockOf } from './stock'

/** One table of each kind, whose form is that of its ending. */
const BOOKS: Record<string, string[][]> = {
  'customers.csv': [
    ['Customer ID', 'Name'],
    ['K1', 'Ana Lopez'],
  ],
  'projects.tsv': [
    ['Project ID', 'Customer ID', 'Name'],
    ['P1', 'K1', 'Porch'],
  ],
  'invoices.txt': [
    ['Invoice Number', 'Project ID', 'Amount', 'Date'],
    ['I1', 'P1', '10.00', '2026-01-05'],
  ],
  'payments.tab': [
    ['Payment ID', 'Project ID', 'Amount', 'Date'],
    ['T1', 'P1', '4.00', '2026-01-09'],
  ],
  'estimates.xlsx': [
    ['Estimate Number', 'Customer ID', 'Project ID', 'Amount', 'Date'],
    ['E1', 'K1', 'P1', '11.00', '2026-01-02'],
  ],
}

/** Writes a table in the form of its ending. */
async function writeTable(path: string, rows: string[][]): Promise<void> {
  const ending = extname(path)
  const delimiter = ending === '.csv' || ending === '.txt' ? ',' : '\t'
  if (ending === '.iif') copyFileSync('public/samples/quickbooks-desktop.iif', path)
  else if (ending === '.xlsx') {
    const sheet: SheetData = rows.map((cells) => cells.map((value) => ({ value, type: String })))
    writeFileSync(path, await writeWorkbook(sheet).toBuffer())
  } else writeFileSync(path, rows.map((cells) => cells.join(delimiter)).join('\n'))
}

/** A table of one customer in each form that loads; what bundling loses of a reader, only the built programs show. */
async function writeTables(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const written = TABLE_ENDINGS.map(async (ending, i) => {
    const name = `customers ${ending.slice(1)}${ending}`
    const path = join(folder, name)
    await writeTable(path, [
      ['Customer ID', 'Name'],
      [`K-${ending}`, `Customer of ${ending}`],
    ])
    const at = Date.now() / 1000 - 600 + i
    utimesSync(path, at, at)
    return name
  })
  return await Promise.all(written)
}

async function writeDocuments(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const pdf = await PDFDocument.create()
  pdf.addPage().drawText('Ten years on every roof')
  for (const ending of ENDINGS)
    writeFileSync(join(folder, `warranty${ending}`), ending === '.pdf' ? await pdf.save() : 'Ten years on every roof')
}

test('the built command line, a source that the clock runs and the API load one file of each kind', async ({
  entry,
  driver,
}) => {
  test.setTimeout(240_000)
  const home = await makeHome(driver, 'stocked')
  const root = mkdtempSync(join(tmpdir(), 'plumbline-kinds-'))
  const dropped = stockOf(kindOf(driver)).spare
  const folder = join(root, 'books')
  mkdirSync(folder)
  for (const [name, rows] of Object.entries(BOOKS)) await writeTable(join(folder, name), rows)
  const { status, stdout, stderr } = plumbline(home, 'load', '--contractor', dropped.id, folder, '--json')
  // Whoever waits long is told on stderr how far it is.
  expect(status, stderr).toBe(0)
  expect(Object.keys(BOOKS).map(extname)).toEqual(TABLE_ENDINGS.filter((ending) => ending !== '.iif'))
  const added = JSON.parse(stdout).files.map((each: { file: string; added: number }) => [each.file, each.added])
  expect(Object.fromEntries(added)).toEqual(Object.fromEntries(Object.keys(BOOKS).map((name) => [name, 1])))
  const documents = join(root, 'documents')
  await writeDocuments(documents)
  const read = plumbline(home, 'load-documents', '--contractor', dropped.id, documents, '--json')
  expect(JSON.parse(read.stdout)).toMatchObject({ files: ENDINGS.length, added: ENDINGS.length, refused: [] })

  const limits = { RATE_LIMIT_DATA_API: '1000' }
  const running = await (await launch(entry, home, { ...limits, SOURCES_FOLDER: root })).ready()
  const of = ['--contractor', dropped.id]
  // It holds records of several kinds, so it stands by itself.
  const desktop = join(root, 'desktop')
  mkdirSync(desktop)
  await writeTable(join(desktop, 'desktop.iif'), [])
  const { files } = JSON.parse(await command(home, 'load', ...of, desktop, '--json'))
  expect(files.some((each: { added: number }) => each.added > 0)).toBe(true)

  // A private key is opened before anything is asked for over the network.
  const keyFile = join(root, 'key')
  writeFileSync(
    keyFile,
    ssh2.utils.generateKeyPairSync('ed25519', { passphrase: 'p', cipher: 'aes256-ctr', rounds: 4 }).private,
  )
  const sftp = ['--kind', 'sftp', '--name', 'S', '--host', 'sftp.example.com', '--user', 'u', '--key-file', keyFile]
  const server = await command(home, 'sources', 'add', ...of, ...sftp)
  await expect(command(home, 'sources', 'run', server, ...of)).rejects.toThrow('The private key cannot be read')

  const watched = JSON.parse(await command(home, 'contractors', 'create', 'Watched Roofing', '--json'))
  const names = await writeTables(join(root, watched.slug))
  const by = ['--contractor', watched.id]
  const source = await command(home, 'sources', 'add', ...by, '--kind', 'folder', '--name', 'Exports')
  const runs = async (): Promise<{ outcome: string; files: string[] }[]> =>
    JSON.parse(await command(home, 'sources', 'runs', source, ...by, '--json'))
  const loaded = async () => (await runs()).flatMap(({ outcome, files }) => (outcome === 'loaded' ? files : [])).sort()
  // Each look starts a program, which takes the clock's own processor.
  await expect.poll(loaded, { timeout: 120_000, intervals: [5_000] }).toEqual([...names].sort())
  expect(readdirSync(join(root, watched.slug, 'done')).sort()).toEqual([...names].sort())

  const key = await command(home, 'keys', 'create', ...by, '--name', 'office', '--scopes', 'write:data')
  const sent = await fetch(`${running.url}/api/v1/loads/customers.csv`, {
    method: 'PUT',
    headers: { 'x-api-key': key },
    body: new Uint8Array(readFileSync(join(root, watched.slug, 'done', 'customers xlsx.xlsx'))),
  })
  expect([sent.status, (await sent.json()).report.files[0]]).toMatchObject([200, { unchanged: 1, refused: 0 }])
  await running.end()
  await home.remove()
  rmSync(root, { recursive: true })
})
