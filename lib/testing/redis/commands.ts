import { createHash } from 'node:crypto'
import type { RedisConnection, RedisValue } from './client'

type Command = (string | number)[]

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

/** Returns where the keys of a command are: how many of its arguments are keys, and where they begin. */
function keysOf([name = '', ...args]: Command): [from: number, count: number] {
  const command = String(name).toUpperCase()
  if (command === 'EVAL' || command === 'EVALSHA') return [3, Number(args[1])]
  if (command === 'SCRIPT' || command === 'PING') return [1, 0]
  return [1, command === 'DEL' ? args.length : 1]
}

/**
 * Runs commands as Upstash would, on a plain Redis. Keys get a prefix, so that tests share a Redis without sharing keys. Scripts are
 * known by the hash of their whole text, and run without Upstash's own first line, which Redis 7.0 refuses.
 */
export function upstashCommands(redis: RedisConnection, prefix: string) {
  const scripts = new Map<string, string>()
  async function run(command: Command): Promise<RedisValue> {
    const [from, count] = keysOf(command)
    const args = command.map((arg, i) => (i >= from && i < from + count ? `${prefix}${arg}` : arg))
    const [name = '', first = '', ...rest] = args
    if (String(name).toUpperCase() === 'EVAL') {
      scripts.set(sha1(String(first)), String(first).replace(/^#!lua flags=allow-key-locking\n/, ''))
      return run(['EVALSHA', sha1(String(first)), ...command.slice(2)])
    }
    if (String(name).toUpperCase() !== 'EVALSHA') return redis.send(...args)
    const script = scripts.get(String(first))
    if (script === undefined) throw new Error('NOSCRIPT No matching script. Please use EVAL.')
    return redis.send('EVAL', script, ...rest)
  }
  /** Forgets all keys under the prefix and all scripts, as a restarted Redis would. */
  async function flush(): Promise<void> {
    scripts.clear()
    const keys = await redis.send('KEYS', `${prefix}*`)
    if (Array.isArray(keys) && keys.length > 0) await redis.send('DEL', ...keys.map(String))
  }
  return { run, flush }
}
