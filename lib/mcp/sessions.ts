import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { database, patiently } from '@/db/client'
import {
  endSession,
  findSession,
  type LiveSession,
  openSession,
  setLogLevel,
  touchSession,
} from '@/db/queries/mcp-sessions'
import type { KeyActor } from '@/lib/auth/actor'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { unreserved } from '@/lib/core/unreserved'
import type { ServiceRequest } from '@/lib/http/request'
import { invalidRequest, RPC, RpcFault, type RpcId } from './fault'
import { storedCapabilities } from './server-info'

/**
 * Returns a session id of 192 random bits. It identifies the session but is not a credential, because it does not work without the
 * session's key.
 */
const newSessionId = () => `mcp_${randomBytes(24).toString('base64url')}`

const shortText = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : null)

/**
 * Sessions of the last seconds. One that ends is refused everywhere within five seconds, as a revoked key is, and at once by the process that
 * ended it. Whose request may use it is checked with every request.
 */
const recent = shared<LRUCache<string, LiveSession>>(
  'mcpSessions',
  () => new LRUCache({ ...unreserved(10_000), ttl: 4_000, ttlResolution: 500 }),
)

/** Forgets them, after one was opened (which ends the oldest of too many), changed or ended. */
export const forgetSessions = (): void => recent().clear()

async function liveSession(id: string): Promise<LiveSession | undefined> {
  const known = recent().get(id)
  if (known) return known
  const session = await findSession(await database(), id)
  if (session) recent().set(id, { ...session, isStale: false })
  return session
}

const isOf = ({ contractorId, keyLineage }: LiveSession, actor: KeyActor) =>
  contractorId === actor.contractorId && keyLineage === actor.lineage

/**
 * Opens a session for a client that has initialized, and returns its id. Stores only the client's name and what we make use of among
 * its capabilities, because nothing reads more.
 */
export async function createSession(actor: KeyActor, protocolVersion: string, params: unknown): Promise<string> {
  const id = newSessionId()
  const session = {
    id,
    contractorId: actor.contractorId,
    keyLineage: actor.lineage,
    protocolVersion,
    clientName: shortText(Object(Object(params).clientInfo).name),
    clientCapabilities: storedCapabilities(Object(params).capabilities),
  }
  await patiently((orm) => openSession(orm, session))
  forgetSessions()
  return id
}

/**
 * Returns the session a request names, if it belongs to the caller (specification 3.3).
 * @throws RpcFault 400 without the header, 404 when it is unknown, expired or ended, 403 for another key's or contractor's
 */
export async function requireSession(
  actor: KeyActor,
  id: string | null,
  messageId: RpcId = null,
): Promise<LiveSession & { id: string }> {
  if (id === null)
    throw invalidRequest('Mcp-Session-Id is missing. Send the one that initialize answered with.', messageId)
  const session = id.length <= 100 ? await liveSession(id) : undefined
  if (!session)
    throw new RpcFault(404, RPC.sessionNotFound, 'Session not found', {
      id: messageId,
      data: {
        reason:
          'It never was, has ended, or was idle for a day. Send initialize without Mcp-Session-Id to begin a new one.',
      },
    })
  if (!isOf(session, actor))
    throw new RpcFault(403, RPC.forbidden, 'Forbidden', {
      id: messageId,
      data: {
        reason:
          'This session belongs to another API key. Use the key that opened it, or initialize a session of your own.',
      },
    })
  if (session.isStale)
    touchSession(await database(), id).catch((fault) => logFault({ operation: 'touch session' }, fault))
  return { ...session, id }
}

/** Checks a version against the one that the session's client and we agreed on. @throws RpcFault 400 for any other */
export function requireAgreed(named: string, { protocolVersion }: { protocolVersion: string }, id: RpcId): void {
  if (named === protocolVersion) return
  throw invalidRequest(
    `This session speaks ${protocolVersion}, which was agreed on, and ${named.slice(0, 40)} is another version. Send ${protocolVersion}, or initialize a new session without Mcp-Session-Id.`,
    id,
  )
}

/** The first revision whose requests name it in a header; clients of the older ones do not know it. */
const HEADER_SINCE = '2025-06-18'

/**
 * The version that any request of a session names must be the session's. Without it the session's applies: older revisions have no such header,
 * and some clients leave it out whatever they agreed on (mcp-remote did until June 2026). Only the end of a session is not taken
 * without it (specification 4.4), where its revision has the header.
 * @throws RpcFault 400
 */
export function requireVersion(
  { headers, method }: ServiceRequest,
  session: { protocolVersion: string },
  id: RpcId,
): void {
  const named = headers.get('mcp-protocol-version')
  if (named !== null) requireAgreed(named, session, id)
  else if (method === 'DELETE' && session.protocolVersion >= HEADER_SINCE)
    throw invalidRequest(
      `Mcp-Protocol-Version is missing. To end this session send the version that was agreed on, ${session.protocolVersion}.`,
      id,
    )
}

/** Sets the least severe log messages that a session's client is sent, on every instance. */
export async function setSessionLevel(id: string, level: string): Promise<void> {
  await setLogLevel(await database(), id, level)
  forgetSessions()
}

/** Ends a session. */
export async function terminateSession(id: string): Promise<void> {
  await patiently((orm) => endSession(orm, id))
  forgetSessions()
}
