// What every client does after connecting, and what it prints for the test to check.

type Argument = { name: string; required?: boolean | undefined }

export type Call = { name: string; arguments: Record<string, unknown> }

/** The methods that both SDKs' clients have. */
export type Peer = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: Call): Promise<Record<string, unknown>>
  listResources(): Promise<{ resources: { uri: string }[] }>
  readResource(ask: { uri: string }): Promise<{ contents: Record<string, unknown>[] }>
  listPrompts(): Promise<{ prompts: { name: string; arguments?: Argument[] | undefined }[] }>
  getPrompt(ask: { name: string }): Promise<{ messages: unknown[] }>
}

/** The offers of a server besides its tools. */
export type Offers = { resources?: object | undefined; prompts?: object | undefined }

/** The results, in the order of the requests. A resource and a prompt are present only where the server offers them. */
export type Tour = {
  offers: string[]
  tools: string[]
  call: Record<string, unknown>
  fault: Record<string, unknown>
  resource?: Record<string, unknown> | undefined
  prompt?: unknown[]
}

export const GOOD: Call = { name: 'list_invoices', arguments: { limit: 3 } }
/** Asks for more items than a tool's page may have. */
export const BAD: Call = { name: 'list_invoices', arguments: { limit: 1000 } }

async function readOne(peer: Peer) {
  const { resources } = await peer.listResources()
  const { contents } = await peer.readResource({ uri: resources[0]?.uri ?? '' })
  return contents[0]
}

async function getOne(peer: Peer) {
  const { prompts } = await peer.listPrompts()
  const simple = prompts.find((prompt) => !prompt.arguments?.some(({ required }) => required))
  const { messages } = await peer.getPrompt({ name: simple?.name ?? '' })
  return messages
}

/**
 * Lists tools, calls one, calls it with an invalid argument, and reads the first resource and the first prompt without required
 * arguments.
 */
export async function takeTour(peer: Peer, offers: Offers = {}): Promise<Tour> {
  const { tools } = await peer.listTools()
  const call = await peer.callTool(GOOD)
  const fault = await peer.callTool(BAD)
  return {
    offers: Object.entries(offers).flatMap(([name, offer]) => (offer ? [name] : [])),
    tools: tools.map(({ name }) => name),
    call,
    fault,
    ...(offers.resources ? { resource: await readOne(peer) } : {}),
    ...(offers.prompts ? { prompt: await getOne(peer) } : {}),
  }
}

/** The script's arguments: the URL, the key and the mode. */
export const [url = '', key = '', mode = ''] = process.argv.slice(2)
export const headers = { 'x-api-key': key }
export const print = (seen: object) => console.log(JSON.stringify(seen))
