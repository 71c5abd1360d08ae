import * as z from 'zod'
import { makeContractor, makeKey } from './fixtures'
import { command, type Home, launch, makeHome, type Running } from './running'
import { keepTemplates, type Stock, type Templates } from './stock'

const Made = z.object({ id: z.string() })

/** Starts a server and waits until it has finished its first start, including the guides' index. */
async function started(home: Home): Promise<Running> {
  const running = await (await launch('server', home)).ready()
  while (!running.output.includes('Plumbline answers')) await new Promise((done) => setTimeout(done, 20))
  return running
}

/** Starts a server on an empty home, loads the demonstration's second contractor, and creates one without data. */
async function fill(home: Home): Promise<Stock> {
  const running = await started(home)
  const made = await command(home, 'contractors', 'create', 'Lakeshore Electric', '--json')
  const { id } = Made.parse(JSON.parse(made))
  await command(home, 'load', '--contractor', id, 'db/demo/lakeshore-electric')
  const spare = await makeContractor(home, 'Spare Roofing')
  const stock = {
    contractorId: id,
    key: await makeKey(home, id, 'integration'),
    leadKey: await makeKey(home, id, 'lead-source'),
    spare: { ...spare, agentKey: await makeKey(home, spare.id, 'agent') },
  }
  await running.end()
  return stock
}

/**
 * Runs once before all tests: for each kind of database, it creates one that a server has started on, with a contractor's data. Tests
 * use copies, because creating each from scratch takes longer than most tests.
 */
export default async function makeTemplates(): Promise<() => Promise<void>> {
  const homes: Home[] = []
  const templates: Templates = {}
  const kinds: ('pglite' | 'pg')[] = process.env.PLUMBLINE_WITHOUT_POSTGRES === '1' ? ['pglite'] : ['pglite', 'pg']
  const make = async (kind: 'pglite' | 'pg') => {
    const home = await makeHome(kind, 'none')
    homes.push(home)
    templates[kind] = { dataDir: home.dataDir, database: home.database, stock: await fill(home) }
    keepTemplates(templates)
  }
  await Promise.all(kinds.map(make))
  return async () => {
    for (const home of homes) await home.remove()
  }
}
