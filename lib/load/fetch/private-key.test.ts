import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { keyWithRounds } from '@/lib/testing/private-keys'
import { KeyThread } from './key-agent'
import { privateKeyFault } from './private-key'

const { generateKeyPairSync: sshKeys, parseKey } = ssh2.utils
const pem = (type: 'pkcs1' | 'pkcs8', modulusLength = 1024) =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type, format: 'pem' }).toString()

test.each([
  ['OpenSSH', sshKeys('ed25519').private],
  ['OpenSSH with 100 rounds', keyWithRounds(100)],
  ['PEM, with what an editor adds', `\n${pem('pkcs1').replaceAll('\n', '\r\n')}\n`],
  ['PuTTY 2', 'PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none'],
])('%s may be tried', (_, key) => expect(privateKeyFault(key)).toBeUndefined())

const cut = sshKeys('ed25519').private.slice(0, 120)
test.each([
  ['101 rounds', keyWithRounds(101), /101 rounds.*at most 100/],
  ['rounds that end a process', keyWithRounds(2 ** 32 - 1), /4,294,967,295 rounds/],
  ['cut off', cut, /cut off/],
  ['cut off within', `${cut.slice(0, 80)}\n-----END OPENSSH PRIVATE KEY-----`, /cut off/],
  ['PKCS #8, whose rounds are its own too', pem('pkcs8'), /not in a format.*ssh-keygen -p/],
  ['PuTTY 3, which names its memory and passes', 'PuTTY-User-Key-File-3: ssh-ed25519', /not in a format/],
  ['a public key', sshKeys('ed25519').public, /not in a format/],
  ['nonsense', '\ufeff'.repeat(20_000), /not in a format/],
])('%s is refused before it is worked on', (_, key, words) => expect(privateKeyFault(key)).toMatch(words))

test('a key that takes half a second of work is opened beside everything else', async () => {
  const { private: privateKey, public: publicKey } = sshKeys('ed25519', {
    passphrase: 'p',
    cipher: 'aes256-ctr',
    rounds: 24,
  })
  let isOpen = false
  const opening = KeyThread.open({ privateKey, passphrase: 'p' }).finally(() => {
    isOpen = true
  })
  // Held by the work, this would come round once or twice.
  let turns = 0
  while (!isOpen) {
    await sleep(1)
    turns++
  }
  expect(turns).toBeGreaterThan(20)
  const key = await opening
  const data = Buffer.from('what a server asks to be signed')
  const known = parseKey(publicKey)
  if (known instanceof Error) throw known
  expect(known.verify(data, await key.sign(data, undefined))).toBe(true)
  key.close()
})

test.each([
  ['another passphrase', { privateKey: keyWithRounds(4), passphrase: 'q' }, /cannot be read.*passphrase/],
  ['no passphrase', { privateKey: keyWithRounds(4) }, /cannot be read.*passphrase/],
  ['an RSA key of more than 8,192 bits', { privateKey: ofBits(8_200) }, /more than 8192 bits/],
])('%s: why it is not opened', async (_, secret, words) => {
  await expect(KeyThread.open(secret)).rejects.toThrow(words)
})

/** An RSA key of so many bits that signs nothing: it takes minutes to find the primes of one that does. */
function ofBits(bits: number): string {
  const number = (size: number) => {
    const bytes = Buffer.alloc(size / 8, 0xa5)
    return Buffer.concat([Buffer.from([0x02, 0x82, (bytes.length + 1) >> 8, (bytes.length + 1) & 0xff, 0]), bytes])
  }
  const small = Buffer.from([0x02, 0x01, 0x03])
  const half = number(bits / 2)
  const parts = [Buffer.from([0x02, 0x01, 0]), number(bits), small, number(bits), half, half, half, half, half]
  const body = Buffer.concat(parts)
  const file = Buffer.concat([Buffer.from([0x30, 0x82, body.length >> 8, body.length & 0xff]), body])
  return `-----BEGIN RSA PRIVATE KEY-----\n${file.toString('base64')}\n-----END RSA PRIVATE KEY-----`
}
