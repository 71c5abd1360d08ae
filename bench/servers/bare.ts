/** Runs (a) the same statement behind `node:http` and nothing else: no key, no limits, no parameters. */
import { createServer } from 'node:http'
import { bareQuery } from './database'
import { FIRST_PAGE } from './sql'

const query = await bareQuery()
createServer(async (_, response) => {
  const [row] = await query<{ items: string }>('page', FIRST_PAGE, [process.env.BENCH_CONTRACTOR, 50])
  const body = `{"apiVersion":"v1","items":${row?.items},"nextPageToken":null}`
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
