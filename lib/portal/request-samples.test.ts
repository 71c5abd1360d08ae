import { describe, expect, test } from 'vitest'
import { LANGUAGES } from './language'
import { SAMPLES, type SampleRequest, type ShownRequest, sampleGenerators } from './request-samples'

const request = (parts: Partial<SampleRequest>): SampleRequest => ({
  url: "http://localhost:3000/x?name=O'Brien",
  method: 'GET',
  isSigned: false,
  headers: [],
  body: undefined,
  ...parts,
})
const post = request({
  method: 'POST',
  isSigned: true,
  headers: [['content-type', 'application/json']],
  body: '{"a":"it\'s #{1} $x"}',
})

/** The body above, and a URL with a quote, as each language quotes them. */
const QUOTED = {
  curl: [`-d '{"a":"it'\\''s #{1} $x"}'`, `'http://localhost:3000/x?name=O'\\''Brien'`],
  typescript: ['body: "{\\"a\\":\\"it\'s #{1} $x\\"}"', `"http://localhost:3000/x?name=O'Brien"`],
  python: ['data="{\\"a\\":\\"it\'s #{1} $x\\"}".encode()', `"http://localhost:3000/x?name=O'Brien"`],
  go: ['strings.NewReader("{\\"a\\":\\"it\'s #{1} $x\\"}")', `"http://localhost:3000/x?name=O'Brien"`],
  php: [`CURLOPT_POSTFIELDS => '{"a":"it\\'s #{1} $x"}'`, `'http://localhost:3000/x?name=O\\'Brien'`],
  ruby: [`request.body = '{"a":"it\\'s #{1} $x"}'`, `'http://localhost:3000/x?name=O\\'Brien'`],
  csharp: ['new StringContent("{\\"a\\":\\"it\'s #{1} $x\\"}"', `"http://localhost:3000/x?name=O'Brien"`],
}

describe.each(LANGUAGES)('a request in %s', (language) => {
  const { make } = SAMPLES[language]
  test('the key is read from the environment', () => {
    expect(make(post)).toContain('PLUMBLINE_KEY')
    expect(make(request({}))).not.toContain('PLUMBLINE_KEY')
  })

  test('quotes and characters that are special in the language are escaped', () => {
    for (const part of QUOTED[language]) expect(make(post)).toContain(part)
    expect(make(post)).toContain('application/json')
  })
})

test('a request without key or body has neither', () => {
  expect(SAMPLES.typescript.make(request({}))).toBe(
    `const response = await fetch("http://localhost:3000/x?name=O'Brien", {\n  method: 'GET',\n})\nconsole.log(response.status, await response.json())`,
  )
  expect(SAMPLES.curl.make(request({}))).toBe(`curl 'http://localhost:3000/x?name=O'\\''Brien'`)
})

test('a request of Swagger UI gives the same samples, without its key', () => {
  const headers = new Map([
    ['x-api-key', 'plb_live_secret'],
    ['content-type', 'application/json'],
  ])
  const values = { url: post.url, method: 'post', headers, body: post.body }
  const shown = { get: (name: keyof typeof values) => values[name] } as ShownRequest
  expect(sampleGenerators.fn.requestSnippetGenerator_curl_bash(shown)).toBe(SAMPLES.curl.make(post))
})
