import { expect, test, vi } from 'vitest'

vi.hoisted(() =>
  Object.assign(process.env, {
    NODE_ENV: 'production',
    VERCEL: '1',
    DATA_API_HOST: 'api.example.com',
    MCP_HOST: 'mcp.example.com',
    PORTAL_HOST: 'app.example.com',
  }),
)

import { operations } from '@/lib/operations/registry'
import { route } from './route'

const { PUT, GET } = route(operations.getLoad, operations.loadFile)

test.each([
  ['api.example.com', 401, 'A valid API key is needed'],
  ['API.example.com:443', 401, 'A valid API key is needed'],
  ['mcp.example.com', 421, 'https://api.example.com/'],
  ['app.example.com', 421, 'https://api.example.com/'],
  ['elsewhere.example', 421, 'not served here'],
])(
  'on Vercel, where no middleware sees it, a file for %s is %i before its body is read',
  async (host, status, error) => {
    const pulled = vi.fn()
    // A body of which nothing is asked for before somebody reads it.
    const body = new ReadableStream({ pull: pulled }, { highWaterMark: 0 })
    const url = 'http://localhost/api/v1/loads/customers.csv'
    // The types of the browser's Request do not know that a body may be sent while the answer is read.
    const sending = { method: 'PUT', headers: { host }, body, duplex: 'half' }
    const sent = await PUT(new Request(url, sending))
    const asked = await GET(new Request('http://localhost/api/v1/loads/lod_1', { headers: { host } }))
    expect([sent.status, asked.status]).toEqual([status, status])
    expect(pulled).not.toHaveBeenCalled()
    expect((await sent.json()).error).toContain(error)
  },
)
