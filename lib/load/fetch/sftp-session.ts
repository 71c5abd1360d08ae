import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { type Algorithms, Client, type FileEntryWithStats, type SFTPWrapper, type Stats } from 'ssh2'
import { faultCode, isBug } from '@/lib/core/fault-code'
import { hostFault, portFault, publicLookup } from '@/lib/core/public-address'
import type { Connecting } from '@/lib/core/public-request'
import { withoutEnd } from '@/lib/core/text'
import { SourceProblem } from './fetched'
import { KeyAgent } from './key-agent'
import type { SourceSecret } from './secrets'

const READY_MS = 20_000

/** The port of SSH. */
export const SFTP_PORT = 22

/**
 * The algorithms a server chooses from. No group of its own for the exchange of keys (`diffie-hellman-group-exchange`): to check that its
 * prime is one takes ten seconds for 4,096 bits, and the server names how many it has. No compression: a packet would inflate to a thousand
 * times its size.
 */
const ALGORITHMS: Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
  ],
  compress: ['none'],
}
/** A server may exchange keys again whenever it likes; those that do so to be safe do it once in a gigabyte or an hour. */
const MOST_HANDSHAKES = 100

/** The address of an SFTP server and the user who signs in; `hostKey` is the key that it must show, as `SHA256:…`. */
export type SftpServer = { host: string; port: number; user: string; hostKey?: string | undefined }

/** The meanings of failed connections for whoever entered the server. */
const REASONS: Record<string, string> = {
  ENOTFOUND: 'has no address: the name is misspelled, or its DNS record is missing',
  EAI_AGAIN: 'could not be looked up: its DNS did not answer',
  ECONNREFUSED: 'refused the connection: nothing listens on this port',
  ECONNRESET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ETIMEDOUT: 'did not accept the connection in time',
}

/** The fingerprint of a host key, as `ssh` shows it. */
const fingerprint = (key: Buffer) => `SHA256:${withoutEnd(createHash('sha256').update(key).digest('base64'), /=/)}`

function inWords(error: unknown, { host, hostKey }: SftpServer, shown: string | undefined): unknown {
  if (error instanceof SourceProblem || isBug(error)) return error
  const text = error instanceof Error ? error.message : String(error)
  const reason = REASONS[faultCode(error) ?? '']
  if (hostKey !== undefined && shown !== undefined && shown !== hostKey)
    return new SourceProblem(
      `${host} shows another host key than before: ${shown} instead of ${hostKey}. Nothing was sent to it. If the server was replaced, accept its new key in the source’s settings.`,
    )
  if (reason) return new SourceProblem(`${host} ${reason}.`)
  if (/authentication methods failed/i.test(text))
    return new SourceProblem(`${host} refused to sign in. Check the user name and the password or key.`)
  if (/no matching/i.test(text))
    return new SourceProblem(
      `${host} knows no way of exchanging keys that is used here. Its operator enables curve25519-sha256, and does not ask for compression.`,
    )
  if (/timed out/i.test(text)) return new SourceProblem(`${host} did not answer in time.`)
  return new SourceProblem(`${host} could not be read: ${text.slice(0, 200)}.`)
}

/** A connection to an SFTP server, on the public internet only. */
export class SftpSession {
  private constructor(
    private readonly client: Client,
    private readonly sftp: SFTPWrapper,
    /** The key that the server showed. */
    readonly hostKey: string,
  ) {}

  /**
   * Connects and signs in. The address is checked in the lookup that the socket itself uses. The key that the server shows must be the pinned one;
   * nothing is sent to another.
   * @throws SourceProblem in words
   */
  static async open(
    server: SftpServer,
    secret: SourceSecret,
    signal: AbortSignal,
    { lookup = publicLookup() }: Connecting = {},
  ): Promise<SftpSession> {
    const fault = hostFault(server.host) ?? portFault(server.port, SFTP_PORT)
    if (fault) throw new SourceProblem(`The server ${fault}.`)
    const agent = secret.privateKey === undefined ? undefined : await KeyAgent.open(secret)
    const client = new Client()
    const end = () => client.destroy()
    signal.addEventListener('abort', end, { once: true })
    let shown: string | undefined
    try {
      const sftp = await new Promise<SFTPWrapper>((done, fail) => {
        const sock = connect({ host: server.host, port: server.port, lookup, timeout: READY_MS })
        sock.once('timeout', () => sock.destroy(new Error('timed out')))
        sock.once('connect', () => sock.setTimeout(0))
        sock.once('error', fail)
        client.once('error', fail)
        let handshakes = 0
        client.on('handshake', () => {
          if (++handshakes > MOST_HANDSHAKES) client.destroy()
        })
        client.once('close', () => fail(new Error('the connection was closed')))
        client.once('ready', () => client.sftp((error, wrapper) => (error ? fail(error) : done(wrapper))))
        client.connect({
          sock,
          username: server.user,
          ...(secret.password !== undefined && { password: secret.password }),
          ...(agent && { agent }),
          algorithms: ALGORITHMS,
          readyTimeout: READY_MS,
          hostVerifier: (key: Buffer) => {
            shown = fingerprint(key)
            return server.hostKey === undefined || server.hostKey === shown
          },
        })
      })
      // What fails later fails the call that waits for it.
      client.on('error', () => {})
      return new SftpSession(client, sftp, shown ?? '')
    } catch (error) {
      client.on('error', () => {})
      client.destroy()
      throw inWords(error, server, shown)
    } finally {
      agent?.close()
    }
  }

  /** The entries of a folder, up to a number; more are not read. */
  async list(path: string, most: number): Promise<FileEntryWithStats[]> {
    const { sftp } = this
    const handle = await new Promise<Buffer>((done, fail) =>
      sftp.opendir(path, (error, opened) => (error ? fail(error) : done(opened))),
    )
    const found: FileEntryWithStats[] = []
    while (found.length < most) {
      const some = await new Promise<FileEntryWithStats[] | undefined>((done, fail) =>
        sftp.readdir(handle, (error, list) => {
          if (!error) done(list)
          // The end of the folder (SSH_FX_EOF).
          else if ('code' in error && error.code === 1) done(undefined)
          else fail(error)
        }),
      )
      if (!some || some.length === 0) break
      found.push(...some)
    }
    sftp.close(handle, () => {})
    return found
  }

  stat(path: string): Promise<Stats> {
    return new Promise((done, fail) => this.sftp.lstat(path, (error, stats) => (error ? fail(error) : done(stats))))
  }

  read(path: string): AsyncIterable<Uint8Array> {
    return this.sftp.createReadStream(path)
  }

  close(): void {
    this.client.end()
  }
}
