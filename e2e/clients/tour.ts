// What every client does once it is connected, and what it prints for the test to judge.

type Argument = { name: string; required?: boolean | undefined }

export type Call = { name: string; arguments: Record<string, unknown> }

/** The part of a client that the two SDKs have in common. */
export type Peer = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: Call): Promise<Record<string, unknown>>
  listResources(): Promise<{ resources: { uri: string }[] }>
  readResource(ask: { uri: string }): Promise<{ contents: Record<string, unknown>[] }>
  listPrompts(): Promise<{ prompts: { name: string; arguments?: Argument[] | undefined }[] }>
  getPrompt(ask: { name: string }): Promise<{ messages: unknown[] }>
}

/** What a server may offer beside tools. */
export type Offers = { resources?: object | undefined; prompts?: object | undefined }

/** What was seen, in the order it was asked for; a resource and a prompt only where the server offers them. */
export type Tour = {
  offers: string[]
  tools: string[]
  call: Record<string, unknown>
  fault: Record<string, unknown>
  resource?: Record<string, unknown> | undefined
  prompt?: unknown[]
}

export const GOOD: Call = { name: 'list_invoices', arguments: { limit: 3 } }
/** More than a page of a tool may have. */
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

/** Lists, calls, is refused an argument, reads the first resource and the first prompt that asks for nothing. */
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

/** The address and the key a script was started with, and what else it was told. */
export const [url = '', key = '', mode = ''] = process.argv.slice(2)
export const headers = { 'x-api-key': key }
export const print = (seen: object) => console.log(JSON.stringify(seen))
