/** Runs one `INSERT … ON CONFLICT` behind `node:http` and nothing else: no key, no limits, no validation, no customer, no delivery. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { bareQuery } from './database'

const query = await bareQuery()
await query('table', 'create table if not exists bench_leads (id text primary key, lead jsonb not null)', [])
const INSERT = `insert into bench_leads (id, lead) values ($1, $2::jsonb) on conflict (id) do nothing returning id`

createServer(async (request, response) => {
  const body = await text(request)
  const { externalId } = JSON.parse(body)
  const made = await query('insert', INSERT, [externalId, body])
  const answer = JSON.stringify({ success: true, duplicate: made.length === 0 })
  response
    .writeHead(made.length > 0 ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    })
    .end(answer)
}).listen(Number(process.env.PORT), '127.0.0.1')
