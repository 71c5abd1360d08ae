/** Rounds of bcrypt that protect a key: `ssh-keygen` takes 24 unless told otherwise, and 100 take three seconds of work. */
const MOST_ROUNDS = 100

const CONVERT =
  'is not in a format that is read here. Convert it to OpenSSH’s: with `ssh-keygen -p -f <file>`, or in PuTTYgen with Conversions, Export OpenSSH key'
const DAMAGED = 'is damaged or cut off. Enter the whole file of the private key'

/** The marks that begin and end the file of a key that the SSH library reads. */
const OPENSSH = marks('OPENSSH PRIVATE KEY')
const PEM = [marks('RSA PRIVATE KEY'), marks('EC PRIVATE KEY')]
const PUTTY = 'PuTTY-User-Key-File-2: '

function marks(label: string) {
  return { begin: `-----BEGIN ${label}-----`, end: `-----END ${label}-----` }
}

/** Fields of SSH's binary format: numbers of 32 bits, and bytes after their length (RFC 4251, section 5). */
class Fields {
  private at = 0

  constructor(private readonly bytes: Buffer) {}

  /** @throws RangeError past the end */
  number(): number {
    const value = this.bytes.readUInt32BE(this.at)
    this.at += 4
    return value
  }

  /** @throws RangeError past the end */
  string(): Buffer {
    const end = this.number() + this.at
    if (end > this.bytes.length) throw new RangeError('past the end')
    const found = this.bytes.subarray(this.at, end)
    this.at = end
    return found
  }
}

const MAGIC = Buffer.from('openssh-key-v1\0')

/** The rounds of bcrypt that a key in OpenSSH's format asks for, 0 for one without a passphrase. @throws RangeError when it is damaged */
function roundsOf(file: Buffer): number {
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) throw new RangeError('another format')
  const fields = new Fields(file.subarray(MAGIC.length))
  const [, kdf, options] = [fields.string(), fields.string(), fields.string()]
  if (kdf.toString('latin1') !== 'bcrypt') return 0
  const given = new Fields(options)
  given.string()
  return given.number()
}

function opensshFault(body: string): string | undefined {
  let rounds: number
  try {
    rounds = roundsOf(Buffer.from(body, 'base64'))
  } catch (error) {
    if (error instanceof RangeError) return DAMAGED
    throw error
  }
  if (rounds <= MOST_ROUNDS) return undefined
  return `asks for ${rounds.toLocaleString('en-US')} rounds of work to be opened; at most ${MOST_ROUNDS} are done. Save it with fewer: \`ssh-keygen -p -a 24 -f <file>\``
}

/**
 * Says why a private key is not read, by what its file declares and before any of it is worked on: a key names the rounds of work that open
 * it. Undefined for one that may be tried.
 */
export function privateKeyFault(key: string): string | undefined {
  const text = key.trim()
  const isMarked = ({ begin, end }: ReturnType<typeof marks>) => text.startsWith(begin) && text.endsWith(end)
  if (isMarked(OPENSSH)) return opensshFault(text.slice(OPENSSH.begin.length, -OPENSSH.end.length))
  // What protects a key in these two is a hash of the passphrase, worked once.
  if (PEM.some(isMarked) || text.startsWith(PUTTY)) return undefined
  return [OPENSSH, ...PEM].some(({ begin }) => text.startsWith(begin)) ? DAMAGED : CONVERT
}
