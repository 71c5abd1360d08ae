import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code an authenticator app shows for an `otpauth:` URI at a moment (RFC 6238: SHA-1, 30 seconds, six digits). */
export function codeOf(uri: string, at = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', fromBase32(new URL(uri).searchParams.get('secret') ?? ''))
    .update(counter)
    .digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

type Site = { id: string; origin: string }
type How = { verified?: boolean; synced?: boolean }

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const b64 = (bytes: Buffer) => bytes.toString('base64url')

/** A P-256 public key as COSE writes it (RFC 9053, 7.1.1): {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const part = (head: string, text: string) => [Buffer.from(`${head}5820`, 'hex'), Buffer.from(text, 'base64url')]
  return Buffer.concat([Buffer.from('a5010203262001', 'hex'), ...part('21', x), ...part('22', y)])
}

/** A device with one passkey on it, as a browser answers for it (WebAuthn, 6.1 and 6.5). */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly id = randomBytes(32)
  private counter = 0

  constructor(private readonly site: Site) {}

  private data({ verified = true, synced = false }: How, more = 0): Buffer {
    const flags = 0x01 | (verified ? 0x04 : 0) | (synced ? 0x18 : 0) | more
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(++this.counter, 1)
    return Buffer.concat([sha256(this.site.id), tail])
  }

  private client = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: this.site.origin, crossOrigin: false }))

  private answer = (response: object) =>
    JSON.stringify({ id: b64(this.id), rawId: b64(this.id), type: 'public-key', clientExtensionResults: {}, response })

  /** The answer to a request to make a passkey, without attestation. */
  make({ challenge }: { challenge: string }, how: How = {}): string {
    const held = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      coseOf(this.keys.publicKey),
    ])
    const data = Buffer.concat([this.data(how, 0x40), held])
    const head = Buffer.concat([Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex')])
    const attestationObject = b64(Buffer.concat([head, Buffer.from([0x58, data.length]), data]))
    const clientDataJSON = b64(this.client('webauthn.create', challenge))
    return this.answer({ clientDataJSON, attestationObject, transports: ['internal'] })
  }

  /** The answer to a request to sign in. */
  use({ challenge }: { challenge: string }, how: How = {}): string {
    const data = this.data(how)
    const client = this.client('webauthn.get', challenge)
    const signature = b64(sign('sha256', Buffer.concat([data, sha256(client)]), this.keys.privateKey))
    return this.answer({ clientDataJSON: b64(client), authenticatorData: b64(data), signature })
  }
}
