import ssh2 from 'ssh2'

const FRAME = /^(-----BEGIN .*-----\n)([^-]+)(-----END .*-----)\s*$/

/** Makes a key with the passphrase `p`. Of those that ssh2 writes, one in two hundred can be read by nobody, OpenSSH included. */
export function lockedKey(rounds: number): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { passphrase: 'p', cipher: 'aes256-ctr', rounds })
  return ssh2.utils.parseKey(pair.private, 'p') instanceof Error ? lockedKey(rounds) : pair
}

/** A private key with the passphrase `p` that says it was protected by so many rounds; it can be opened where that is 4. */
export function keyWithRounds(rounds: number): string {
  const text = lockedKey(4).private
  const [, begin = '', body = '', end = ''] = FRAME.exec(text) ?? []
  const bytes = Buffer.from(body, 'base64')
  // After the name of the derivation: the length of its options, that of the salt, the salt of 16 bytes.
  const at = bytes.indexOf('bcrypt') + 'bcrypt'.length + 4 + 4 + 16
  if (bytes.readUInt32BE(at) !== 4) throw new Error('The rounds are elsewhere')
  bytes.writeUInt32BE(rounds, at)
  return `${begin}${bytes.toString('base64')}\n${end}\n`
}
