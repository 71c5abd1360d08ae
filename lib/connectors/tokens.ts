import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@/db/client'
import {
  type Connection,
  type ConnectionKey,
  changeConnection,
  claimTokenRefresh,
  findConnection,
  storeTokens,
} from '@/db/queries/connectors'
import { env } from '@/lib/core/env'
import { seal, unseal } from '@/lib/core/seal'
import { type Connector, ConnectorFault, type Session, type Tokens } from './connector'

const PURPOSE = 'connector tokens'
/** A token that lives less than this is renewed before it is used. */
const LEAST_LIFE_MS = 120_000
/** A time longer than a renewal takes with all of its attempts. */
const REFRESH_MS = 240_000
const LOOK_AGAIN_MS = 250
const LOOKS = 80

function sealToken(text: string): string {
  const [secret] = env().tokenSecrets
  if (secret === undefined) throw new Error('EXTERNAL_API_TOKEN_SECRET is not set')
  return seal(secret, PURPOSE, text)
}

/** Reads a stored token. @throws ConnectorFault `reconnect` when it was sealed with another secret */
export function openToken(sealed: string | null): string {
  const text = sealed === null ? undefined : unseal(env().tokenSecrets, PURPOSE, sealed)
  if (text !== undefined) return text
  throw new ConnectorFault(
    'reconnect',
    'The stored tokens cannot be read any more, because EXTERNAL_API_TOKEN_SECRET is another one now. Connect again.',
  )
}

/** Returns tokens as they are stored: sealed, with the moments up to which they work. */
export const storedTokens = (tokens: Tokens, now: Date) => ({
  accessToken: sealToken(tokens.access),
  accessUntil: new Date(now.getTime() + tokens.accessSeconds * 1000),
  refreshToken: sealToken(tokens.refresh),
  refreshUntil: new Date(now.getTime() + tokens.refreshSeconds * 1000),
})

/** The tokens of one connection, for one run. */
class Keeper {
  constructor(
    private readonly db: Database,
    private readonly key: ConnectionKey,
    private readonly connector: Connector,
    private readonly clock: () => Date,
  ) {}

  /** The stored access token; undefined when it is over, or is the one that was refused. */
  private usable({ accessToken, accessUntil }: Connection, isRefused?: string): string | undefined {
    if (accessToken === null || accessUntil === null) return undefined
    if (accessUntil.getTime() - this.clock().getTime() < LEAST_LIFE_MS) return undefined
    const token = openToken(accessToken)
    return token === isRefused ? undefined : token
  }

  private async stored(): Promise<Connection> {
    const found = await findConnection(this.db.orm, this.key)
    if (found?.state === 'connected') return found
    throw new ConnectorFault('reconnect', 'The connection was ended meanwhile.')
  }

  async token(isRefused?: string): Promise<string> {
    for (let look = 0; look < LOOKS; look++) {
      const token = this.usable(await this.stored(), isRefused)
      if (token !== undefined) return token
      const now = this.clock()
      if (await claimTokenRefresh(this.db.orm, this.key, now, new Date(now.getTime() + REFRESH_MS)))
        return await this.renew(isRefused)
      await sleep(LOOK_AGAIN_MS)
    }
    throw new ConnectorFault(
      'unreachable',
      'Another process has been renewing the tokens for too long. It is tried again by itself.',
    )
  }

  /**
   * Renews the tokens; nobody else does meanwhile. The new refresh token is stored before anything is asked with it. Where the answer is
   * lost, the old one stays stored, and the vendor takes it again for a while.
   */
  private async renew(isRefused?: string): Promise<string> {
    const before = await this.stored()
    // It may have been renewed between the look and the lock.
    const token = this.usable(before, isRefused)
    const free = () => changeConnection(this.db.orm, this.key, { refreshingUntil: null })
    if (token !== undefined) {
      await free()
      return token
    }
    try {
      const tokens = await this.connector.refresh(openToken(before.refreshToken))
      if (await storeTokens(this.db.orm, this.key, before.tokenVersion, storedTokens(tokens, this.clock())))
        return tokens.access
    } catch (error) {
      await free()
      throw error
    }
    // Somebody connected again meanwhile: theirs count.
    return openToken((await this.stored()).accessToken)
  }
}

/** Returns what a connector asks with for one run. */
export function sessionFor(
  db: Database,
  connection: Pick<Connection, 'contractorId' | 'connector' | 'company'>,
  { connector, signal, clock = () => new Date() }: { connector: Connector; signal: AbortSignal; clock?: () => Date },
): Session {
  const { contractorId, company } = connection
  const keeper = new Keeper(db, { contractorId, connector: connection.connector }, connector, clock)
  return { company, signal, token: (isRefused) => keeper.token(isRefused), names: new Map() }
}
