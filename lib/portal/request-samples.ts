import { KEY_VARIABLE } from './curl'

/** The little that is read of Swagger UI's immutable request. */
export type ShownRequest = {
  get(name: 'url' | 'method'): string
  get(name: 'headers'): Entries | undefined
  get(name: 'body'): unknown
}
type Entries = { entries(): Iterable<[string, unknown]> }

const SECRET = /^(x-api-key|authorization)$/i

/** A request as its sample needs it: the key's own header apart, as its value is read from the environment. */
function partsOf(request: ShownRequest) {
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

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A request as a curl command, the key a variable of the shell. */
export function inCurl(request: ShownRequest): string {
  const { url, method, isSigned, headers, body } = partsOf(request)
  return [
    `curl -X ${method} ${quoted(url)}`,
    ...(isSigned ? [`-H "x-api-key: $${KEY_VARIABLE}"`] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** A request as TypeScript that runs in Node and in browsers' tools. */
export function inTypeScript(request: ShownRequest): string {
  const { url, method, isSigned, headers, body } = partsOf(request)
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

/** A request as Python that needs no package. JSON's texts are Python's too. */
export function inPython(request: ShownRequest): string {
  const { url, method, isSigned, headers, body } = partsOf(request)
  const lines = [
    ...(isSigned ? [`        "x-api-key": os.environ["${KEY_VARIABLE}"],`] : []),
    ...headers.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]
  return [
    'import json, os, urllib.request',
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

/** The samples as Swagger UI takes them in: functions by name, and the list of what is offered. */
export const sampleGenerators = {
  fn: {
    requestSnippetGenerator_curl_bash: inCurl,
    requestSnippetGenerator_typescript: inTypeScript,
    requestSnippetGenerator_python: inPython,
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
