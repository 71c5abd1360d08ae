import { randomBytes } from 'node:crypto'
import { database } from '@/db/client'
import type { FeedPlace } from '@/db/queries/changes'
import { openSessionStream } from '@/db/queries/mcp-sessions'
import { accepts } from '@/lib/http/accept'
import type { Answer, Reply } from '@/lib/http/answer'
import type { ServiceRequest } from '@/lib/http/request'
import { RPC, RpcFault } from './fault'
import { admit } from './gate'
import { requireSession, requireVersion } from './sessions'
import type { Wording } from './update-stream'
import { streams } from './update-streams'

/** The first revision whose clients are promised to take an event without data (SEP-1699). */
const EMPTY_EVENTS_SINCE = '2025-11-25'

const PLACE = /^(\d{1,15})-(\d{1,18})$/

const idLine = ({ position, stamp }: FeedPlace) => `id: ${position}-${stamp}\n`

/** The place that a client comes back with; undefined for what is none, and then it is told what changed since it subscribed. */
function placeIn(lastEventId: string | null): FeedPlace | undefined {
  if (lastEventId === null) return undefined
  const [, position, stamp = '0'] = PLACE.exec(lastEventId) ?? []
  return position === undefined ? undefined : { position: Number(position), stamp }
}

const wordingOf = (protocolVersion: string): Wording => ({
  first: 'retry: 1000\n: open\n\n',
  ...(protocolVersion < EMPTY_EVENTS_SINCE ? {} : { place: (place) => `${idLine(place)}data: \n\n` }),
  updated: (uri, place) => {
    const data = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })
    return `event: message\n${place ? idLine(place) : ''}data: ${data}\n\n`
  },
})

/**
 * GET `/mcp`: the stream on which a session's client is told what it subscribed to (MCP 2025-11-25, `notifications/resources/updated`).
 * The newest stream of a session counts. A client that comes back with `Last-Event-ID` is told what changed in between.
 * @throws RpcFault 406 unless it accepts events, and as for messages in a session; ServiceError `rate_limited` for too many streams
 */
export async function openStream(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const actor = await admit(request, answer)
  const { headers } = request
  if (!accepts(headers.get('accept'), 'text/event-stream'))
    throw new RpcFault(406, RPC.notAcceptable, 'Not Acceptable', {
      data: { reason: 'GET opens the stream of a session’s notifications. Send Accept: text/event-stream' },
    })
  const session = await requireSession(actor, headers.get('mcp-session-id'))
  requireVersion(request, session, null)
  answer.add({ 'mcp-protocol-version': session.protocolVersion })
  const streamId = randomBytes(12).toString('base64url')
  const stream = streams().add(actor, wordingOf(session.protocolVersion), { id: session.id, streamId })
  try {
    stream.begin(await openSessionStream(await database(), session.id, streamId), placeIn(headers.get('last-event-id')))
  } catch (error) {
    stream.end()
    throw error
  }
  return answer.events(stream.reply())
}
