import { expect, test } from 'vitest'
import { RESOURCES } from '@/lib/resources/registry'
import { errorsOf } from './errors'
import { documented } from './operation'

const all = documented().map((operation) => ({ ...operation, errors: errorsOf(operation) }))
const pathsWith = (status: number) =>
  all.filter(({ errors }) => errors[status] !== undefined).map(({ http }) => http.path)

test('what needs a key documents that it is missing, may not, and is over its limit', () => {
  const keyed = all.filter(({ access }) => access !== 'public')
  expect(keyed.length).toBeGreaterThan(20)
  for (const { name, errors } of keyed)
    expect(Object.keys(errors), name).toEqual(expect.arrayContaining(['401', '403', '429']))
  for (const { name, errors, limit } of all) expect(errors[429] !== undefined || limit === undefined, name).toBe(true)
})

test('410 is documented of records and cursors alone, 503 of everything', () => {
  const names = RESOURCES.map(({ name }) => name)
  const gone: string[] = [
    '/changes',
    ...names.flatMap((name) => [`/${name}/{id}`, `/${name}/checksum`, `/export/${name}`]),
  ]
  expect(pathsWith(410).filter((path) => !gone.includes(path))).toEqual([])
  expect(gone.filter((path) => !pathsWith(410).some((one) => one === path))).toEqual([])
  expect(pathsWith(503)).toEqual(all.map(({ http }) => http.path))
})
