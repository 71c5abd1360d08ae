import * as z from 'zod'
import type { Answer, Reply } from '@/lib/http/answer'
import type { ServiceRequest } from '@/lib/http/request'
import { endOfFeed } from '@/lib/sync/watch'
import type { Caller } from './caller'
import { RPC, RpcFault } from './fault'
import type { Message } from './gate'
import { underPlainId } from './message-id'
import { SERVER_INFO } from './server-info'
import type { EngineAnswer } from './session-engine'
import { answerStateless } from './stateless-engine'
import { MOST_URIS, thoseThere } from './subscriptions'
import type { Wording } from './update-stream'
import { streams } from './update-streams'

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'
const SERVER_META = 'io.modelcontextprotocol/serverInfo'

const Wanted = z.looseObject({
  notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()).max(MOST_URIS).optional() }),
})

const eventOf = (message: object) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`

function wordingOf(id: Message['id'], uris: string[]): Wording & { last: string } {
  const _meta = { [SUBSCRIPTION_ID]: id }
  const result = { resultType: 'complete', _meta: { ..._meta, [SERVER_META]: SERVER_INFO } }
  const notify = (method: string, params: object) => eventOf({ method, params: { ...params, _meta } })
  return {
    first: notify('notifications/subscriptions/acknowledged', {
      notifications: uris.length > 0 ? { resourceSubscriptions: uris } : {},
    }),
    updated: (uri) => notify('notifications/resources/updated', { uri }),
    last: eventOf({ id, result }),
  }
}

/** The URIs that a request wants to be told of. @throws RpcFault -32602 for more than one stream may have */
function wantedIn({ params, id }: Message): string[] {
  const wanted = Wanted.safeParse(params)
  if (wanted.success) return [...new Set(wanted.data.notifications.resourceSubscriptions ?? [])]
  throw new RpcFault(200, RPC.invalidParams, 'Invalid params', {
    id: id ?? null,
    data: {
      reason: `params.notifications must be an object, and its resourceSubscriptions at most ${MOST_URIS} URIs. A list such as plumbline://invoices is updated with each of its records.`,
    },
  })
}

/**
 * Answers `subscriptions/listen` of 2026-07-28: a stream that tells which of the named resources change, until its client goes. Resources
 * that the key may not read or that do not exist are left out of the acknowledgment, as the revision requires. The engine judges everything
 * else of the message: it is given the same request without the URIs, which it acknowledges and ends.
 * @param reply converts the engine's answer where no stream is opened
 * @throws ServiceError `rate_limited` for too many streams
 */
export async function listen(
  caller: Caller,
  { headers }: Pick<ServiceRequest, 'headers'>,
  answer: Answer,
  message: Message,
  reply: (answered: EngineAnswer) => Reply,
): Promise<Reply> {
  const { actor } = caller
  const wanted = wantedIn(message)
  const params = { ...Object(message.params), notifications: {} }
  const judged = await underPlainId({ ...message, params }, (plain) => answerStateless(caller, headers, plain))
  if (judged.type === undefined) return reply(judged)
  const uris = await thoseThere(wanted, actor)
  const wording = wordingOf(message.id, uris)
  if (uris.length === 0) return reply({ ...judged, text: wording.first + wording.last })
  const from = await endOfFeed(actor.contractorId)
  const stream = streams().add(actor, wording)
  stream.begin(Object.fromEntries(uris.map((uri) => [uri, from])))
  return answer.events(stream.reply())
}
