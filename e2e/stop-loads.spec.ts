import { expect, get, makeContractor, test } from './fixtures'
import { UNLIMITED } from './lead'
import { person } from './portal'
import { launch, makeHome, type Running } from './running'
import { upload } from './upload'

/** The rows that take minutes of work on a machine of two cores; a server that waited for its end would not be gone in this time. */
const ROWS = 120_000
const ENDED_WITHIN_MS = 30_000
const FILE = `Customer ID,Name,Phone\n${Array.from({ length: ROWS }, (_, i) => `C${i},Customer ${i},(615) 555-${String(i % 10_000).padStart(4, '0')}\n`).join('')}`

/** Begins a load or a look at a draft, and resolves once rows are read. @returns a function that reads what it says until its end */
async function begin({ url }: Running, cookie: string, contractorId: string, asked: object) {
  const { body } = await fetch(`${url}/data/load/run?contractorId=${contractorId}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ map: [], ...asked }),
  })
  if (!body) throw new Error('a load answers with a stream')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let told = ''
  const read = async () => {
    const { done, value = '' } = await reader.read()
    told += value
    return !done
  }
  while (!told.includes('"rows":') && (await read()));
  expect(told).toMatch(/"rows":[1-9]/)
  return async () => {
    while (await read());
    return told
  }
}

for (const dryRun of [true, false])
  test(`SIGTERM during a large ${dryRun ? 'dry run' : 'load'} ends the server with 0, and nothing of it is kept @slow`, async () => {
    test.setTimeout(240_000)
    const home = await makeHome('pglite', 'stocked')
    let running = await (await launch('server', home, UNLIMITED)).ready()
    const { id, key } = await makeContractor(home, `Stopped ${dryRun} Roofing`)
    const { cookie } = await person({ home, url: running.url }, id, 'admin')
    const { draft } = await (await upload(running.url, cookie, id, FILE)).json()
    const rest = await begin(running, cookie, id, { draft, dryRun })
    const told = rest()
    const late = AbortSignal.timeout(ENDED_WITHIN_MS)
    expect(await running.end()).toBe(0)
    expect(late.aborted).toBe(false)
    expect(await told).toContain('Nothing of the load was kept')
    expect(running.output).not.toMatch(/"level":"(error|fatal)"/)

    running = await (await launch('server', home, UNLIMITED)).ready()
    await expect
      .poll(async () => (await get({ url: running.url, key }, '/api/v1/customers')).body.items, { timeout: 60_000 })
      .toEqual([])
    await running.end()
    await home.remove()
  })
