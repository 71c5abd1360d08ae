import ssh2 from 'ssh2'

/** A key and a self-signed certificate for `hook.example.com` and `hooks.slack.com`, valid from 2020 to 2120. Tests alone trust it. */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmGQs31MebvLVB1cP
WUMMAE6V3WQ/yqpQ27Avgj/sEo2hRANCAAR8iaVNenslR9kcnXv4eec2h6pYEkWh
mbkCH+LgslTAfzODkucB0UeHtnuQU8siRRr76QCO+P7XueMODGjVFWPU
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBUjCB+aADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMTBGhvb2swIBcN
MjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMA8xDTALBgNVBAMTBGhvb2sw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR8iaVNenslR9kcnXv4eec2h6pYEkWh
mbkCH+LgslTAfzODkucB0UeHtnuQU8siRRr76QCO+P7XueMODGjVFWPUo0QwQjAS
BgNVHRMBAf8ECDAGAQH/AgEAMCwGA1UdEQQlMCOCEGhvb2suZXhhbXBsZS5jb22C
D2hvb2tzLnNsYWNrLmNvbTAKBggqhkjOPQQDAgNIADBFAiBl9n0U/ftD2mHmAVzu
KHtE9BfWPbU3ql/4ikYccdozgwIhANj5wBYw7zzh0gnfsElp9lr097f+fmotgKoS
9e5exArx
-----END CERTIFICATE-----`,
}

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
