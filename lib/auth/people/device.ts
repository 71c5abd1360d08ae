import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { baseUrls, env } from '@/lib/core/env'
import { cookiePrefix } from './sign-in-settings'
import type { Visitor } from './visitor'

/** The time that a browser stays known after its last sign-in. */
const KNOWN_SECONDS = 180 * 86_400
/** The most people who share one browser; the one who signed in there longest ago is forgotten first. */
const MOST_PEOPLE = 4

/** A browser that someone has signed in with. It grants no access; its attempts are only counted separately from strangers'. */
type Device = { cookie: string; id: string; since: number }

const mac = (text: string): string =>
  createHmac('sha256', `known device ${env().authSecret}`).update(text).digest('base64url')

const prefix = () => `${cookiePrefix(env())}.device-`
/** The cookie's name identifies the account without revealing it. */
const cookieFor = (email: string) => `${prefix()}${mac(`account ${email.toLowerCase()}`).slice(0, 16)}`

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Returns the content of our cookie, if its signature is valid and it is not too old. */
function parse(cookie: string, value: string): Device | undefined {
  const [id = '', at = '', signature = ''] = value.split('.')
  if (!isSame(signature, mac(`${cookie} ${id} ${at}`))) return undefined
  const since = Number.parseInt(at, 36)
  return since * 1000 > Date.now() - KNOWN_SECONDS * 1000 ? { cookie, id, since } : undefined
}

/** Returns the accounts a visitor's browser is known to, latest sign-in first. */
function devicesOf({ cookie }: Pick<Visitor, 'cookie'>): Device[] {
  const start = prefix()
  return cookie
    .split('; ')
    .filter((pair) => pair.startsWith(start))
    .flatMap((pair) => parse(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)) ?? [])
    .sort((a, b) => b.since - a.since)
}

/** Returns the browser's id if this account has signed in with it, or any account when none is named. */
export function trustedDevice(visitor: Visitor, email?: string): string | undefined {
  const devices = devicesOf(visitor)
  return (email === undefined ? devices[0] : devices.find(({ cookie }) => cookie === cookieFor(email)))?.id
}

function setCookie(cookie: string, value: string, seconds: number): string {
  const secure = baseUrls(env()).portal.startsWith('https:') ? '; Secure' : ''
  return `${cookie}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

function valueFor(cookie: string, id: string): string {
  const at = Math.floor(Date.now() / 1000).toString(36)
  return `${id}.${at}.${mac(`${cookie} ${id} ${at}`)}`
}

/** Returns the cookie for a browser that an account has just signed in with. It keeps the id it had. */
export function rememberDevice(visitor: Visitor, email: string): string[] {
  const cookie = cookieFor(email)
  const others = devicesOf(visitor).filter((device) => device.cookie !== cookie)
  const id = trustedDevice(visitor, email) ?? randomBytes(16).toString('base64url')
  return [
    setCookie(cookie, valueFor(cookie, id), KNOWN_SECONDS),
    ...others.slice(MOST_PEOPLE - 1).map((device) => setCookie(device.cookie, '', 0)),
  ]
}

/**
 * Returns a visitor whose browser counts as known to an account, because they have just proved in another way that it is theirs.
 */
export function trustDevice(visitor: Visitor, email: string): Visitor {
  const cookie = cookieFor(email)
  const known = `${cookie}=${valueFor(cookie, randomBytes(16).toString('base64url'))}`
  return { ...visitor, cookie: visitor.cookie === '' ? known : `${visitor.cookie}; ${known}` }
}
