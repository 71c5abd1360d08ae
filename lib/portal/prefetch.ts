/** The time a pointer rests on a link before its page is prefetched, and the time a prefetched page may wait for the click. */
const RESTS_MS = 65
const LASTS_MS = 4_000

/** Paths that are not pages: data, streams and downloads, and the step that begins a sign-in elsewhere, which would begin twice. */
const NO_PAGE = /^\/(api|mcp\/|health|metrics|llms\.txt|sign-in\/sso\/[^/]+\/start)|\.(md|csv|json|xml)$/

/** Returns the page that a link leads to if it is worth prefetching: another page of this host, and no download. */
export function pageBehind(
  link: Pick<HTMLAnchorElement, 'href' | 'target' | 'hasAttribute'>,
  here: string,
): string | undefined {
  if (link.target !== '' || link.hasAttribute('download') || !URL.canParse(link.href)) return undefined
  const [page, own] = [new URL(link.href), new URL(here)]
  if (page.origin !== own.origin || (NO_PAGE.test(page.pathname) && page.pathname !== '/mcp/console')) return undefined
  page.hash = ''
  own.hash = ''
  return page.href === own.href ? undefined : page.href
}

/**
 * Prefetches the page of a link that a pointer rests on, with speculation rules where the browser has them. A prefetched page is dropped
 * after a few seconds, and as soon as anything but a link is pressed, so that nobody sees data from before their change.
 * @returns a function that stops it
 */
export function prefetchOnHover(): () => void {
  if (!HTMLScriptElement.supports?.('speculationrules')) return () => {}
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
  let rules: HTMLScriptElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const drop = () => {
    clearTimeout(timer)
    rules?.remove()
    rules = undefined
  }
  const fetchPage = (url: string) => {
    rules = document.createElement('script')
    rules.type = 'speculationrules'
    rules.nonce = nonce
    rules.textContent = JSON.stringify({ prefetch: [{ urls: [url], eagerness: 'immediate' }] })
    document.head.append(rules)
    timer = setTimeout(drop, LASTS_MS)
  }
  const linkAt = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  const onOver = (event: Event) => {
    const link = linkAt(event)
    const url = link ? pageBehind(link, location.href) : undefined
    if (!url) return
    drop()
    timer = setTimeout(fetchPage, RESTS_MS, url)
  }
  const onDown = (event: Event) => linkAt(event) ?? drop()
  const listening = new AbortController()
  const options = { passive: true, signal: listening.signal }
  document.addEventListener('pointerover', onOver, options)
  document.addEventListener('pointerdown', onDown, options)
  document.addEventListener('submit', drop, options)
  return () => {
    listening.abort()
    drop()
  }
}
