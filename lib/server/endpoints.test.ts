import { expect, test } from 'vitest'
import { httpEndpoints } from '@/lib/http/rest/endpoints'
import { endpoints } from './endpoints'

test('every path of the API is there before its operation is loaded, and reads a body where the operation does', () => {
  const known = endpoints.map(({ path, takesBody }) => ({ path, takesBody }))
  for (const { path, takesBody } of httpEndpoints) expect(known).toContainEqual({ path, takesBody })
  expect(new Set(known.map(({ path }) => path)).size).toBe(known.length)
})
