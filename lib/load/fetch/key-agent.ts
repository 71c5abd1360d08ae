import { Worker } from 'node:worker_threads'
import { BaseAgent, type IdentityCallback, type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2'
import { callThread } from '@/lib/core/thread'
import { SourceProblem } from './fetched'
import { privateKeyFault } from './private-key'
import type { SourceSecret } from './secrets'

/** The most work that {@link privateKeyFault} lets through takes a fifth of it. */
const OPEN_MS = 20_000
const MOST_MEGABYTES = 64
/** The most bits of an RSA key's numbers: the time of a signature grows with the third power. */
const MOST_BITS = 8_192

/**
 * The program that the thread runs, as text, because then it is the same from source, bundled and in a function, where a file for it would
 * not be packed. It opens the key, says its public part, and signs.
 */
const PROGRAM = `
const { createPrivateKey } = require('node:crypto')
const { parentPort } = require('node:worker_threads')
const { utils } = require('ssh2')
const isLarge = (part) => Buffer.byteLength(part, 'base64url') * 8 > ${MOST_BITS}
const open = ({ privateKey, passphrase }) => {
  const opened = utils.parseKey(privateKey, passphrase)
  if (opened instanceof Error) return { problem: 'unreadable' }
  if (!opened.isPrivateKey() || opened.type === 'ssh-dss') return { problem: 'kind' }
  if (Object.values(createPrivateKey(opened.getPrivatePEM()).export({ format: 'jwk' })).some(isLarge)) return { problem: 'large' }
  return { opened, publicKey: opened.getPublicSSH() }
}
let key
parentPort.on('message', (asked) => {
  parentPort.postMessage({ begun: true })
  try {
    if ('data' in asked) return parentPort.postMessage({ signature: key.sign(asked.data, asked.hash) })
    const { opened, ...said } = open(asked)
    key = opened
    parentPort.postMessage(said)
  } catch {
    parentPort.postMessage({ problem: 'unreadable' })
  }
})`

/** The reasons why a key was not opened, in words for whoever entered it. */
const PROBLEMS: Record<string, string> = {
  unreadable: 'The private key cannot be read. Enter it whole, with its passphrase where it has one.',
  kind: 'The private key is of a kind that servers no longer take (DSA). Make one of Ed25519: `ssh-keygen -t ed25519`.',
  large: `The private key has numbers of more than ${MOST_BITS} bits. Make one of Ed25519: \`ssh-keygen -t ed25519\`.`,
}
const SLOW = 'The private key takes too long to be opened. Save it with fewer rounds: `ssh-keygen -p -a 24 -f <file>`.'

type Opened = { publicKey: Uint8Array } | { problem: string }
type Signed = { signature: Uint8Array | Error }

/**
 * A private key in a thread of its own: opening one and signing with it take as much work as its file says, which holds nothing else there
 * and ends with its time. Close it in the end.
 */
export class KeyThread {
  private constructor(
    private readonly worker: Worker,
    readonly publicKey: Buffer,
  ) {}

  /** @throws SourceProblem when it cannot be opened */
  static async open({ privateKey = '', passphrase }: SourceSecret): Promise<KeyThread> {
    const fault = privateKeyFault(privateKey)
    if (fault) throw new SourceProblem(`The private key ${fault}.`)
    const worker = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    })
    worker.unref()
    const said = await callThread<Opened>(worker, { privateKey, passphrase }, OPEN_MS)
    if ('publicKey' in said) return new KeyThread(worker, Buffer.from(said.publicKey))
    void worker.terminate()
    if ('problem' in said) throw new SourceProblem(PROBLEMS[said.problem] ?? said.problem)
    if (said.silent === 'slow') throw new SourceProblem(SLOW)
    throw new Error('The thread of a private key ended', { cause: said.fault })
  }

  /** Signs what a server asks to be signed. @throws Error when that fails */
  async sign(data: Uint8Array, hash: string | undefined): Promise<Buffer> {
    const said = await callThread<Signed>(this.worker, { data, hash }, OPEN_MS)
    if ('signature' in said && !(said.signature instanceof Error)) return Buffer.from(said.signature)
    throw new Error('The private key could not sign', { cause: 'signature' in said ? said.signature : said.fault })
  }

  close(): void {
    void this.worker.terminate()
  }
}

/** Signs in with a private key that lies in its own thread. Close it once that is done. */
export class KeyAgent extends BaseAgent {
  private constructor(private readonly key: KeyThread) {
    super()
  }

  /** @throws SourceProblem when the key cannot be opened */
  static async open(secret: SourceSecret): Promise<KeyAgent> {
    return new KeyAgent(await KeyThread.open(secret))
  }

  override getIdentities(done: IdentityCallback): void {
    done(null, [this.key.publicKey])
  }

  override sign(
    _: string | Buffer | ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    const [given, answer] = typeof options === 'function' ? [{}, options] : [options, done]
    this.key.sign(data, given.hash).then(
      (signature) => answer?.(null, signature),
      (fault) => answer?.(fault),
    )
  }

  close(): void {
    this.key.close()
  }
}
