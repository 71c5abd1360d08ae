import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { againInCurl, lacks } from './again'

const ONE = loadEnv({ PORT: '3000' })
const HOSTS = loadEnv({
  DATA_API_HOST: 'api.example.com',
  MCP_HOST: 'mcp.example.com',
  PORTAL_HOST: 'portal.example.com',
})
const KEY = '-H "x-api-key: $PLUMBLINE_KEY"'
const get = (path: string, query: string | null = null) => ({ method: 'GET', path, query })

test.each([
  [get('/api/v1/invoices', 'status=overdue&limit=5'), 'http://localhost:3000/api/v1/invoices?status=overdue&limit=5'],
  [get('/api/v1/invoices', 'pageToken=…&limit=5'), 'http://localhost:3000/api/v1/invoices?limit=5'],
  [get('/api/v1/invoices', 'pageToken=…'), 'http://localhost:3000/api/v1/invoices'],
])('%j on one machine', (asked, url) => {
  expect(againInCurl(asked, ONE)).toBe(`curl '${url}' \\\n  ${KEY}`)
})

test.each([
  ['/api/v1/invoices', 'https://api.example.com/invoices'],
  ['/api/webhooks/leads/inbound', 'https://api.example.com/api/webhooks/leads/inbound'],
])('%s on separate hosts', (path, url) => {
  expect(againInCurl(get(path), HOSTS)).toBe(`curl '${url}' \\\n  ${KEY}`)
})

test('a body is not stored, so it is read from a file; MCP requests get the media types they need', () => {
  const post = { method: 'POST', path: '/mcp', query: null }
  expect(lacks(post)).toEqual({ body: true, pageToken: false })
  expect(againInCurl(post, HOSTS)).toBe(
    [
      `curl -X POST 'https://mcp.example.com/mcp'`,
      KEY,
      `-H 'content-type: application/json'`,
      `-H 'accept: application/json, text/event-stream'`,
      '--data-binary @body.json',
    ].join(' \\\n  '),
  )
})

test('HEAD requests only headers; a quote in a path is escaped', () => {
  expect(againInCurl({ method: 'HEAD', path: `/api/v1/x'; rm -rf ~`, query: null }, ONE)).toBe(
    `curl --head 'http://localhost:3000/api/v1/x'\\''; rm -rf ~' \\\n  ${KEY}`,
  )
})
