import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export type Schema = { [key: string]: unknown }
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }
type Content = Record<string, { schema?: Schema; example?: unknown }>
type Header = { schema: Schema }
export type Documented = { headers: Record<string, Header>; content: Content }
export type Operation = {
  id: string
  method: string
  /** The path under the server's address; with parameters in braces. */
  path: string
  isOpen: boolean
  parameters: Parameter[]
  body: Content | undefined
  responses: Record<string, Documented>
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The description with every `$ref` but those of schemas in its place. Schemas lead to each other. */
function resolved(value: unknown, root: Schema): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, root))
  if (!isObject(value)) return value
  const { $ref } = value
  if (typeof $ref === 'string' && !$ref.startsWith('#/components/schemas/'))
    return resolved(
      $ref
        .split('/')
        .slice(1)
        .reduce<unknown>((place, name) => Object(place)[name], root),
      root,
    )
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each, root)]))
}

/** A description as the fuzzer uses it: its operations, and a check of values against its schemas. */
export class Description {
  readonly operations: Operation[]
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false })
  readonly #checks = new Map<string, ValidateFunction>()
  readonly #root = 'https://description.example/openapi.json'

  constructor(document: Schema) {
    addFormats(this.#ajv)
    this.#ajv.addSchema({ $id: this.#root, components: document.components })
    const [server] = Object(document.servers)
    this.operations = Object.entries(Object(resolved(document.paths, document))).flatMap(([path, item]) =>
      Object.entries(Object(item)).map(([method, given]) => {
        const operation = Object(given)
        const [own] = operation.servers ?? []
        const prefix = new URL((own ?? server).url).pathname.replace(/\/$/, '')
        const responses = Object.entries(Object(operation.responses)).map(([status, response]) => {
          const { headers = {}, content = {} } = Object(response)
          return [status, { headers, content }]
        })
        return {
          id: operation.operationId,
          method: method.toUpperCase(),
          path: prefix + path,
          isOpen: operation.security?.length === 0,
          parameters: operation.parameters ?? [],
          body: operation.requestBody?.content,
          responses: Object.fromEntries(responses),
        }
      }),
    )
  }

  /** Returns why a value is not what a schema says; undefined where it is. */
  fault(schema: Schema, value: unknown): string | undefined {
    const within = this.#within(schema)
    const key = JSON.stringify(within)
    const check = this.#checks.get(key) ?? this.#ajv.compile(Object(within))
    this.#checks.set(key, check)
    if (check(value)) return undefined
    return this.#ajv.errorsText(check.errors, { dataVar: 'body' })
  }

  /** A schema whose references lead to the description. */
  #within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#within(each))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        name === '$ref' && typeof each === 'string' ? this.#root + each : this.#within(each),
      ]),
    )
  }
}
