import { expect, test } from 'vitest'
import { toResponse } from '@/lib/http/answer'
import { serviceRequest } from '@/lib/http/request'
import { httpEndpoints } from '@/lib/http/rest/endpoints'
import { endpoints, loadedEndpoint } from './endpoints'

test('every path of the API is there before its operation is loaded, and reads a body where the operation does', () => {
  const known = endpoints.map(({ path, takesBody }) => ({ path, takesBody }))
  for (const { path, takesBody } of httpEndpoints) expect(known).toContainEqual({ path, takesBody })
  expect(new Set(known.map(({ path }) => path)).size).toBe(known.length)
})

test('a path whose code cannot be loaded answers 500 as JSON, without what went wrong, and the next request tries again', async () => {
  const known = httpEndpoints.find(({ path }) => path === '/api/v1/openapi')
  if (!known) throw new Error('the document has a path')
  let tries = 0
  const { answer } = loadedEndpoint(known.path, false, async () => {
    if (++tries === 1) throw new Error('EMFILE: too many open files, open chunk-1.js')
    return [known]
  })
  const ask = async () => toResponse(await answer(serviceRequest(new Request(`http://localhost${known.path}`))))
  const failed = await ask()
  const text = await failed.text()
  expect([failed.status, JSON.parse(text).code]).toEqual([500, 'internal'])
  expect(text).not.toMatch(/EMFILE|chunk/)
  expect([(await ask()).status, tries]).toEqual([200, 2])
})
