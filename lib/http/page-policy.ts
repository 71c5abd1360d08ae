import { isConsole } from './portal-paths'

/** Endpoints that set their own response headers, by path after routing. A test checks every endpoint against this. */
const NO_PAGE =
  /^\/(api|mcp|oauth2|health|metrics|\.well-known|_next)(\/|$)|^\/(robots\.txt|sitemap\.xml|changelog\.xml|llms\.txt)$|^\/developers\/guides\/.*\.md$/

/** Reports whether a path belongs to a page and so gets {@link pagePolicy}; an unknown path is a page that says so. */
export const isPage = (path: string): boolean => isConsole(path) || !NO_PAGE.test(path)

/** Returns a nonce for one response. */
export const newNonce = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')

/**
 * Returns the security headers of a page: scripts only from here with this request's nonce, requests only to here, no framing, no referrer
 * to other sites.
 * @param nonce new for each request
 */
export function pagePolicy(nonce: string) {
  const policy = [
    "default-src 'none'",
    // Scripts loaded by a script with the nonce may run too, which is how Next loads its chunks.
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    // Images from the explorer's style sheet, and QR codes for setting up a second factor.
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
    // Only our own pages may create and use passkeys, never a frame.
    'permissions-policy':
      'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()',
    // With `no-referrer`, a browser submits a form without JavaScript as `Origin: null`, which is refused.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
}
