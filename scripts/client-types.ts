// `npm run types` in clients/typescript: writes the types of the API description, made by openapi-typescript.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { identifierOf, RESOURCE_NAMES } from '@/lib/core/resource-names'
import { openApiDocument } from '@/lib/http/openapi/document'
import { documented } from '@/lib/http/openapi/operation'

const root = resolve(import.meta.dirname, '..')

/** The path of the types. */
export const TYPES = join(root, 'clients/typescript/src/openapi.ts')
/** The program that makes them, among the packages of e2e/judges. */
export const GENERATOR = join(root, 'e2e/judges/node_modules/openapi-typescript/bin/cli.js')

const HEADER = `// Made from the API description by \`npm run types\`; do not edit.\n`

/** The operations that the client calls: the lists, the changes feed, checksums and exports. */
const isCalled = (name: string): boolean =>
  name === 'list_changes' || RESOURCE_NAMES.some((resource) => name === `list_${identifierOf(resource)}`)

type Json = Record<string, unknown>
const objectOf = (value: unknown): Json => Object(value)

/** The description without what the types do not need: other operations, and what is the same for all answers. */
function described(): Json {
  const { paths, components, ...rest } = openApiDocument(
    documented().filter(({ name }) => isCalled(name)),
    '3.1',
  )
  const kept = Object.entries(objectOf(paths)).map(([path, item]) => {
    const get = objectOf(objectOf(item).get)
    const { description, content } = objectOf(objectOf(get.responses)[200])
    return [path, { get: { ...get, responses: { 200: { description, content } } } }]
  })
  const { Error: _, ...schemas } = objectOf(objectOf(components).schemas)
  return { ...rest, paths: Object.fromEntries(kept), components: { schemas } }
}

/** Returns the source text of the types. @throws Error when the generator is not installed or fails */
export function clientTypes(): string {
  // Paging is described only where page tokens can be signed.
  process.env.EXTERNAL_API_TOKEN_SECRET ??= 'a-secret-that-signs-nothing-here'
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-types-'))
  try {
    const [document, out] = [join(folder, 'openapi.json'), join(folder, 'openapi.ts')]
    writeFileSync(document, JSON.stringify(described()))
    const { status, stderr } = spawnSync(process.execPath, [GENERATOR, document, '-o', out], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`openapi-typescript failed; is e2e/judges installed (npm ci there)? ${stderr}`)
    return HEADER + readFileSync(out, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === import.meta.filename) writeFileSync(TYPES, clientTypes())
