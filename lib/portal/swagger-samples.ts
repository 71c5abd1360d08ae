import { inCurl, inPython, inTypeScript, type SampleRequest } from './request-samples'

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
