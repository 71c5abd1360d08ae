/** Endpoints that set their own response headers, by path after routing. A test checks every endpoint against this. */
const NO_PAGE =
  /^\/(api|mcp|health|metrics|\.well-known|_next)(\/|$)|^\/(robots\.txt|sitemap\.xml|llms\.txt)$|^\/developers\/guides\/.*\.md$/

/** Whether a path is a page's, and so gets {@link pagePolicy}; what is not there is a page that says so. */
export const isPage = (path: string): boolean => /^\/mcp\/console\/?$/.test(path) || !NO_PAGE.test(path)

/** A nonce for one answer. */
export const newNonce = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')

/**
 * Security headers of a page: scripts only from here with this request's nonce, requests only to here, no framing, no referrer to
 * other sites.
 * @param nonce new for each request
 */
export function pagePolicy(nonce: string) {
  const policy = [
    "default-src 'none'",
    // What a script with the nonce loads may run too: that is how Next loads its chunks.
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    // Drawn by the explorer's style sheet, and codes to scan when a second factor is set up.
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    // Passkeys are made and used by our own pages, never by a frame.
    'permissions-policy':
      'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()',
    // With `no-referrer` a browser sends a form without script as from nowhere (`Origin: null`), which is refused.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
}
