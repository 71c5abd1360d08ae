import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isBug } from '@/lib/core/fault-code'
import { cutHeader } from '@/lib/core/header'
import { type Followed, publicFollow } from '@/lib/core/public-follow'
import type { Connecting } from '@/lib/core/public-request'
import { isFileName } from '../draft'
import { mayBeTable } from '../join/find'
import { type Fetched, type Fetching, SourceProblem, storeFetched } from './fetched'

const HOST = 'docs.google.com'

/**
 * Returns where an address is read as CSV. A link of Google Sheets leads to a page for people: what was published to the web is asked for as
 * CSV, and a sheet that is shared is exported as CSV (developers.google.com, support.google.com/docs/answer/183965).
 */
export function csvAddress(address: string): string {
  const url = new URL(address)
  if (url.hostname !== HOST) return address
  const gid = url.searchParams.get('gid') ?? /gid=(\d+)/.exec(url.hash)?.[1]
  const published = /^\/spreadsheets\/d\/e\/([\w-]+)\/pub(?:html)?$/.exec(url.pathname)
  const shared = /^\/spreadsheets\/d\/(?!e\/)([\w-]+)(?:\/(?:edit|view|htmlview|copy|preview)?)?$/.exec(url.pathname)
  if (published && url.searchParams.get('output') !== 'xlsx') {
    const to = new URL(`https://${HOST}/spreadsheets/d/e/${published[1]}/pub`)
    if (gid) to.searchParams.set('gid', gid)
    if (gid) to.searchParams.set('single', 'true')
    to.searchParams.set('output', 'csv')
    return to.href
  }
  if (!shared) return address
  const to = new URL(`https://${HOST}/spreadsheets/d/${shared[1]}/export`)
  to.searchParams.set('format', 'csv')
  if (gid) to.searchParams.set('gid', gid)
  return to.href
}

/** The meanings of statuses for whoever entered the address. */
const STATUSES: Record<number, string> = {
  401: 'asks for a password. Share the file with anyone who has the link',
  403: 'may not be read. Share the file with anyone who has the link',
  404: 'is not there. The link has changed, or the file was deleted',
  410: 'is not there any more. The link has changed, or the file was deleted',
  429: 'is asked too often, and is tried again later',
}

const SIGN_IN =
  'The address answers with a web page instead of a file, most likely one to sign in. Share the file with anyone who has the link; in Google Sheets choose ' +
  'File, Share, Publish to web, and use that link.'

/** Reports whether a body is a web page, by its type or by how it begins. White space (`\s`) has the byte order mark in it. */
export const isPage = (type: string | undefined, head: Buffer): boolean =>
  /^(text\/html|application\/xhtml)/i.test(cutHeader(type)) ||
  /^\s*(?:<!doctype html|<html|<head|<script)/i.test(head.toString('utf8'))

/** The file's name as the answer or the address says it; what says none is CSV or a workbook by its first bytes. */
function nameOf({ url, headers }: Pick<Followed, 'url' | 'headers'>, head: Buffer): string {
  const disposition = cutHeader(headers['content-disposition'])
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1]
  const decoded = decode(encoded ?? '') || plain || decode(url.pathname)
  const name = basename(decoded.replaceAll('\\', '/')).trim()
  if (isFileName(name) && mayBeTable(name)) return name
  return head.toString('hex', 0, 4) === '504b0304' ? 'linked.xlsx' : 'linked.csv'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Reads a shared file from its link. What has not changed since the last load, by the server's word or by its bytes, brings nothing.
 * @throws SourceProblem that says what to change
 */
export async function fetchLink(
  { url: address }: { url: string },
  { folder, seen, signal }: Fetching,
  connecting?: Connecting,
): Promise<Fetched> {
  const headers = {
    accept: 'text/csv, */*;q=0.5',
    ...(seen.etag && { 'if-none-match': seen.etag }),
    ...(seen.lastModified && { 'if-modified-since': seen.lastModified }),
  }
  const nothing: Fetched = { files: [], seen: () => seen }
  const got = await publicFollow(csvAddress(address), { headers, signal }, connecting).catch((error: unknown) => {
    throw isBug(error) ? error : new SourceProblem(`${words(error).replaceAll(address, 'The address')}.`)
  })
  const stop = () => void got.body[Symbol.asyncIterator]().return?.()
  const { status } = got
  if (status === 304) {
    stop()
    return nothing
  }
  if (status < 200 || status >= 300) {
    stop()
    throw new SourceProblem(`The address ${STATUSES[status] ?? `answered ${status}`}.`)
  }
  const arrived = join(folder, 'arrived')
  const { hash, head } = await storeFetched(got.body, arrived, 'The file', signal)
  if (isPage(got.headers['content-type'], head)) throw new SourceProblem(SIGN_IN)
  const told = {
    hash,
    ...(got.headers.etag && { etag: got.headers.etag.slice(0, 500) }),
    ...(got.headers['last-modified'] && { lastModified: got.headers['last-modified'].slice(0, 100) }),
  }
  if (hash === seen.hash) return { files: [], seen: () => told }
  const name = nameOf(got, head)
  await rename(arrived, join(folder, name))
  return { files: [{ name, at: 0 }], seen: (loaded) => (loaded.includes(name) ? told : seen) }
}
