import { KEY_VARIABLE } from './curl'
import type { SampleLanguage } from './language'

/** A request to show in samples. The key's header is separate, because its value is read from the environment. */
export type SampleRequest = {
  url: string
  /** Uses capitals. */
  method: string
  /** True when it needs a key. */
  isSigned: boolean
  headers: (readonly [name: string, value: string])[]
  body: string | undefined
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a request as a curl command, with the key in a shell variable. */
function inCurl({ url, method, isSigned, headers, body }: SampleRequest): string {
  return [
    method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`,
    ...(isSigned ? [`-H "x-api-key: $${KEY_VARIABLE}"`] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** Returns a request as TypeScript that runs in Node and in browser consoles. */
function inTypeScript({ url, method, isSigned, headers, body }: SampleRequest): string {
  const lines = [
    ...(isSigned ? [`    'x-api-key': process.env.${KEY_VARIABLE} ?? '',`] : []),
    ...headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: '${method}',`,
    ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []),
    ...(body ? [`  body: ${JSON.stringify(body)},`] : []),
    '})',
    'console.log(response.status, await response.json())',
  ].join('\n')
}

/** Returns a request as Python that needs no package. JSON strings are valid in Python. */
function inPython({ url, method, isSigned, headers, body }: SampleRequest): string {
  const lines = [
    ...(isSigned ? [`        "x-api-key": os.environ["${KEY_VARIABLE}"],`] : []),
    ...headers.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]
  return [
    `import json${isSigned ? ', os' : ''}, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(lines.length > 0 ? ['    headers={', ...lines, '    },'] : []),
    ...(body ? [`    data=${JSON.stringify(body)}.encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n')
}

/** Quotes a text with single quotes for PHP and Ruby, which expand no variables in them. */
const single = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
/** Quotes a text with double quotes for Go and C#, whose escapes are those of JSON. */
const double = (text: string) => JSON.stringify(text)

/** Returns a request as a Go program that uses the standard library. */
function inGo({ url, method, isSigned, headers, body }: SampleRequest): string {
  const packages = ['fmt', 'io', 'net/http', ...(isSigned ? ['os'] : []), ...(body ? ['strings'] : [])]
  const set = [
    ...(isSigned ? [`\trequest.Header.Set("x-api-key", os.Getenv("${KEY_VARIABLE}"))`] : []),
    ...headers.map(([name, value]) => `\trequest.Header.Set(${double(name)}, ${double(value)})`),
  ]
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${method}", ${double(url)}, ${body ? `strings.NewReader(${double(body)})` : 'nil'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...set,
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(response.StatusCode, string(answer))',
    '}',
  ].join('\n')
}

/** Returns a request as PHP that uses the curl extension. */
function inPhp({ url, method, isSigned, headers, body }: SampleRequest): string {
  const lines = [
    ...(isSigned ? [`        'x-api-key: ' . getenv('${KEY_VARIABLE}'),`] : []),
    ...headers.map(([name, value]) => `        ${single(`${name}: ${value}`)},`),
  ]
  return [
    '<?php',
    `$request = curl_init(${single(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    ...(lines.length > 0 ? ['    CURLOPT_HTTPHEADER => [', ...lines, '    ],'] : []),
    ...(body ? [`    CURLOPT_POSTFIELDS => ${single(body)},`] : []),
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = curl_exec($request);',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join('\n')
}

/** Returns a request as Ruby that uses the standard library. */
function inRuby({ url, method, isSigned, headers, body }: SampleRequest): string {
  const verb = method.charAt(0) + method.slice(1).toLowerCase()
  return [
    "require 'net/http'",
    '',
    `uri = URI(${single(url)})`,
    `request = Net::HTTP::${verb}.new(uri)`,
    ...(isSigned ? [`request['x-api-key'] = ENV.fetch('${KEY_VARIABLE}')`] : []),
    ...headers.map(([name, value]) => `request[${single(name)}] = ${single(value)}`),
    ...(body ? [`request.body = ${single(body)}`] : []),
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|",
    '  http.request(request)',
    'end',
    'puts response.code, response.body',
  ].join('\n')
}

const isContentType = ([name]: readonly [string, string]) => name.toLowerCase() === 'content-type'

/** Returns a request as a C# program for .NET. */
function inCsharp({ url, method, isSigned, headers, body }: SampleRequest): string {
  const type = headers.find(isContentType)?.[1] ?? 'application/json'
  return [
    ...(body ? ['using System.Text;', ''] : []),
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${method.charAt(0)}${method.slice(1).toLowerCase()}, ${double(url)});`,
    ...(isSigned ? [`request.Headers.Add("x-api-key", Environment.GetEnvironmentVariable("${KEY_VARIABLE}"));`] : []),
    ...headers
      .filter((header) => !isContentType(header))
      .map(([name, value]) => `request.Headers.Add(${double(name)}, ${double(value)});`),
    ...(body ? [`request.Content = new StringContent(${double(body)}, Encoding.UTF8, ${double(type)});`] : []),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine((int)response.StatusCode + " " + await response.Content.ReadAsStringAsync());',
  ].join('\n')
}

/** The sample languages, in the order of the tabs. */
export const SAMPLES = {
  curl: { name: 'curl', make: inCurl },
  typescript: { name: 'TypeScript', make: inTypeScript },
  python: { name: 'Python', make: inPython },
  go: { name: 'Go', make: inGo },
  php: { name: 'PHP', make: inPhp },
  ruby: { name: 'Ruby', make: inRuby },
  csharp: { name: 'C#', make: inCsharp },
} as const satisfies Record<SampleLanguage, { name: string; make: (request: SampleRequest) => string }>

/** The parts of Swagger UI's immutable request that are read. */
export type ShownRequest = {
  get(name: 'url' | 'method'): string
  get(name: 'headers'): Entries | undefined
  get(name: 'body'): unknown
}
type Entries = { entries(): Iterable<[string, unknown]> }

const SECRET = /^(x-api-key|authorization)$/i

/** Converts Swagger UI's request for the samples. */
function sampleOf(request: ShownRequest): SampleRequest {
  const headers = [...(request.get('headers')?.entries() ?? [])].map(([name, value]) => [name, String(value)] as const)
  const body = request.get('body')
  return {
    url: request.get('url'),
    method: request.get('method').toUpperCase(),
    isSigned: headers.some(([name]) => SECRET.test(name)),
    headers: headers.filter(([name]) => !SECRET.test(name)),
    body: typeof body === 'string' && body ? body : undefined,
  }
}

/** The samples in Swagger UI's format: functions by name, and the list of languages. */
export const sampleGenerators = {
  fn: {
    requestSnippetGenerator_curl_bash: (request: ShownRequest) => inCurl(sampleOf(request)),
    requestSnippetGenerator_typescript: (request: ShownRequest) => inTypeScript(sampleOf(request)),
    requestSnippetGenerator_python: (request: ShownRequest) => inPython(sampleOf(request)),
  },
  settings: {
    requestSnippets: {
      generators: {
        curl_bash: { title: 'curl', syntax: 'bash' },
        typescript: { title: 'TypeScript', syntax: 'javascript' },
        python: { title: 'Python', syntax: 'python' },
      },
      defaultExpanded: true,
      languages: ['curl_bash', 'typescript', 'python'],
    },
  },
}
