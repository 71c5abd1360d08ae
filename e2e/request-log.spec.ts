import { expect, test } from './fixtures'
import { launch, makeHome, plumbline } from './running'

test('what a request leaves in the log is there after a stop that follows it at once @slow', async ({
  entry,
  driver,
}) => {
  const home = await makeHome(driver, 'stocked')
  plumbline(home, 'contractors', 'create', 'Harpeth Roofing', '--trade', 'roofing')
  const { stdout } = plumbline(
    home,
    ...['keys', 'create', '--contractor', 'harpeth-roofing', '--name', 'Sync', '--preset', 'integration', '--json'],
  )
  const { key, id } = JSON.parse(stdout)
  const running = await (await launch(entry, home)).ready()
  const answer = await fetch(`${running.url}/invoices?limit=5`, { headers: { 'x-api-key': key, 'user-agent': 'e2e' } })
  await answer.text()
  await running.end()
  const listed = plumbline(home, 'requests', 'list', '--contractor', 'harpeth-roofing', '--json')
  expect(JSON.parse(listed.stdout).items).toEqual([
    expect.objectContaining({
      id: answer.headers.get('x-request-id'),
      path: '/api/v1/invoices',
      query: 'limit=5',
      endpoint: 'list_invoices',
      status: 200,
      keyId: id,
      userAgent: 'e2e',
    }),
  ])
  expect(listed.stdout).not.toContain(key)
  await home.remove()
})
