// The inspector's command line: one process and one connection per request.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { BAD, type Call, GOOD, key, mode, type Peer, print, takeTour, url } from './tour'

const launcher = join(
  import.meta.dirname,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)
const connection = ['--cli', '--transport', 'http', '--server-url', url, '--header', `X-API-Key: ${key}`]
const manner = ['--protocol-era', mode, '--stored-auth-only', '--format', 'json', '--quiet']
/** The inspector's exit code when a tool result has `isError`. */
const TOOL_FAULT = 5

type Answer = { status: number; result: ReturnType<typeof JSON.parse> }
const answers = new Map<string, Answer>()

/** Asks once for the same; each request is a process of its own. */
function ask(...asked: [method: string, ...args: string[]]): Answer {
  const kept = answers.get(asked.join(' '))
  if (kept) return kept
  const [method, ...args] = asked
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [launcher, ...connection, ...manner, '--method', method, ...args],
    { encoding: 'utf8', timeout: 60_000 },
  )
  if (status !== 0 && status !== TOOL_FAULT) throw new Error(`${method} ended with ${status}: ${stderr}`)
  const answer = { status, result: JSON.parse(stdout).result }
  answers.set(asked.join(' '), answer)
  return answer
}

const call = (tool: Call) =>
  ask('tools/call', '--tool-name', tool.name, '--tool-args-json', JSON.stringify(tool.arguments))

// Prints an empty list, without an error, when the server offers nothing.
const offered = (kind: 'resources' | 'prompts') => (ask(`${kind}/list`).result[kind].length > 0 ? {} : undefined)
const offers = { resources: offered('resources'), prompts: offered('prompts') }

const peer: Peer = {
  listTools: async () => ask('tools/list').result,
  callTool: async (tool) => call(tool).result,
  listResources: async () => ask('resources/list').result,
  readResource: async ({ uri }) => ask('resources/read', '--uri', uri).result,
  listPrompts: async () => ask('prompts/list').result,
  getPrompt: async ({ name }) => ask('prompts/get', '--prompt-name', name).result,
}
const tour = await takeTour(peer, offers)
const ended = [call(GOOD).status, call(BAD).status]
// With the strict flag it fails when a schema uses features that some clients cannot read.
const strict = ask('tools/list', '--strict').status
print({ ended, strict, ...tour })
