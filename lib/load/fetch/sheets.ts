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
