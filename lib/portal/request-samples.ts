import { KEY_VARIABLE } from './curl'
import type { SampleLanguage } from './language'
import { inCsharp, inGo, inPhp, inRuby } from './more-samples'

/** A request to show in samples. The key's header is separate, because its value is read from the environment. */
export type SampleRequest = {
  url: string
  /** In capitals. */
  method: string
  /** Whether it needs a key. */
  isSigned: boolean
  headers: (readonly [name: string, value: string])[]
  body: string | undefined
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a request as a curl command, with the key in a shell variable. */
export function inCurl({ url, method, isSigned, headers, body }: SampleRequest): string {
  return [
    method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`,
    ...(isSigned ? [`-H "x-api-key: $${KEY_VARIABLE}"`] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** Returns a request as TypeScript that runs in Node and in browser consoles. */
export function inTypeScript({ url, method, isSigned, headers, body }: SampleRequest): string {
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
export function inPython({ url, method, isSigned, headers, body }: SampleRequest): string {
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
