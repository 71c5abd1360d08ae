import { expect, test } from 'vitest'
import { inCurl, inPython, inTypeScript, type ShownRequest } from './request-samples'

const request = (parts: { method: string; headers?: Record<string, string>; body?: string }): ShownRequest => {
  const values = {
    url: "http://localhost:3000/x?name=O'Brien",
    ...parts,
    headers: new Map(Object.entries(parts.headers ?? {})),
  }
  const get = (name: 'url' | 'method' | 'headers' | 'body') => values[name]
  return { get } as ShownRequest
}
const post = request({
  method: 'post',
  headers: { 'x-api-key': 'plb_live_secret', 'content-type': 'application/json' },
  body: '{"a":"it\'s"}',
})

test.each([inCurl, inTypeScript, inPython])('%o: the key is a variable, never itself', (make) => {
  expect(make(post)).toContain('PLUMBLINE_KEY')
  expect(make(post)).not.toContain('secret')
})

test('inCurl: quotes survive the shell', () => {
  expect(inCurl(post)).toBe(
    [
      "curl -X POST 'http://localhost:3000/x?name=O'\\''Brien'",
      '-H "x-api-key: $PLUMBLINE_KEY"',
      "-H 'content-type: application/json'",
      "-d '{\"a\":\"it'\\''s\"}'",
    ].join(' \\\n  '),
  )
})

test('inTypeScript: a request without key or body has neither', () => {
  expect(inTypeScript(request({ method: 'get' }))).toBe(
    `const response = await fetch("http://localhost:3000/x?name=O'Brien", {\n  method: 'GET',\n})\nconsole.log(response.status, await response.json())`,
  )
})

test('inPython: key from the environment, body as bytes', () => {
  expect(inPython(post)).toContain(
    '        "x-api-key": os.environ["PLUMBLINE_KEY"],\n        "content-type": "application/json",',
  )
  expect(inPython(post)).toContain('    data="{\\"a\\":\\"it\'s\\"}".encode(),')
})
