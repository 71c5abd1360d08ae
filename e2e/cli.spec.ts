import { expect, get, test } from './fixtures'
import { plumbline } from './running'

test('the command line works beside the running server: a key works at once, and is refused at once when revoked', async ({
  service,
}) => {
  const { home, url, contractorId } = service
  const made = JSON.parse(
    plumbline(
      home,
      'keys',
      'create',
      '--contractor',
      contractorId,
      '--name',
      'short',
      '--scopes',
      'read:projects',
      '--json',
    ).stdout,
  )
  expect((await get({ url, key: made.key }, '/api/v1/projects')).status).toBe(200)
  expect((await get({ url, key: made.key }, '/api/v1/invoices')).status).toBe(403)
  const next = JSON.parse(plumbline(home, 'keys', 'rotate', made.id, '--overlap', '1h', '--json').stdout)
  for (const key of [made.key, next.key]) expect((await get({ url, key }, '/api/v1/projects')).status).toBe(200)
  expect(plumbline(home, 'keys', 'revoke', made.id).status).toBe(0)
  // At once, because the command runs inside the server.
  expect((await get({ url, key: made.key }, '/api/v1/projects')).status).toBe(401)
  expect((await get({ url, key: next.key }, '/api/v1/projects')).status).toBe(200)
  expect(plumbline(home, 'keys', 'list').stdout).toMatch(new RegExp(`${made.id}.*revoked`))
})

test('loading beside the running server changes nothing twice, and is seen at once', async ({ service }) => {
  const again = JSON.parse(
    plumbline(service.home, 'load', '--contractor', service.contractorId, 'db/demo/lakeshore-electric', '--json')
      .stdout,
  )
  expect(again.files.map(({ added, updated, refused }: Record<string, number>) => [added, updated, refused])).toEqual(
    Array(6).fill([0, 0, 0]),
  )
})

test('commands explain what is wrong and end with a code', async ({ service }) => {
  const { home } = service
  for (const [args, says] of [
    [['load', '--contractor', 'nobody', '.'], 'There is no contractor nobody'],
    [['load', '--contractor', service.contractorId, '/nowhere'], 'cannot be read'],
    [
      ['keys', 'create', '--contractor', service.contractorId, '--name', 'x', '--scopes', 'read:everything'],
      'There is no scope read:everything',
    ],
    [['keys', 'create', '--contractor', service.contractorId, '--name', 'x'], 'at least one scope'],
    [['keys', 'revoke', 'key_none'], 'There is no key'],
    [['contractors', 'create', 'Lakeshore Electric'], 'Another contractor has this slug'],
    [['nonsense'], 'unknown command'],
  ] as const) {
    const { status, stderr } = plumbline(home, ...args)
    expect(status, args.join(' ')).not.toBe(0)
    expect(stderr).toContain(says)
  }
})
