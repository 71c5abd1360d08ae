import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { launch, makeHome, plumbline } from './running'

test('the demonstration: ready from nothing, private files, a curl that works', async ({ driver }) => {
  test.setTimeout(240_000)
  const made = await makeHome(driver, 'none')
  // Creating the demonstration also creates its secret.
  const { EXTERNAL_API_TOKEN_SECRET: _, ...env } = made.env
  const home = { ...made, env }
  const running = await launch('server', home, {}, ['--demo'])
  await expect.poll(() => running.output, { timeout: 200_000 }).toContain('Stop with Ctrl-C')
  const file = join(env.PLUMBLINE_DATA_DIR ?? '', 'demo.json')
  const demo = JSON.parse(readFileSync(file, 'utf8'))
  expect(Object.keys(demo)).toEqual(['portalUrl', 'dataApiUrl', 'mcpUrl', 'admin', 'contractors'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const curl = running.output.match(/curl -s -H '([^:]+): ([^']+)' '([^']+)'/)
  const answer = await fetch(curl?.[3] ?? '', { headers: { [curl?.[1] ?? '']: curl?.[2] ?? '' } })
  const { items, nextPageToken } = await answer.json()
  expect(items).toHaveLength(2)
  expect(nextPageToken).toEqual(expect.any(String))
  const status = plumbline(home, 'status', '--json')
  expect(JSON.parse(status.stdout)).toEqual(demo)
  await running.end()
  await home.remove()
})
