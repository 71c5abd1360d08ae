import { RESOURCE_NAMES } from '@/lib/core/resource-names'

/** The first path segments of the portal's pages, and of what only they use. A test holds this to the folders of `app/`. */
export const PORTAL_SEGMENTS: readonly string[] = [
  ...RESOURCE_NAMES,
  'account',
  'alerts',
  'audit',
  'changelog.xml',
  'confirm',
  'connect',
  'connections',
  'data',
  'developers',
  'find',
  'forgot-password',
  'invitation',
  'keys',
  'leads',
  'logs',
  'oauth2',
  'outgoing',
  'pictures',
  'reports',
  'reset-password',
  'samples',
  'sign-in',
  'status',
  'team',
  'transactions',
  'usage',
]

/** Reports whether a path belongs to the portal: one of its pages or forms, or the authorization server, whose origin it is. */
export const isOfPortal = (path: string): boolean => PORTAL_SEGMENTS.includes(path.split('/')[1] ?? '')

/** The one page that is not the portal's: it asks the MCP server, and a page may only ask its own host. */
export const isConsole = (path: string): boolean => /^\/mcp\/console\/?$/.test(path)

const FILES = [
  '/icon.svg',
  '/icon-192.png',
  '/icon-512.png',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/site.webmanifest',
]

/** Reports whether a path is a file that a page is made of, on whatever host the page is. */
export const isPageFile = (path: string): boolean => path.startsWith('/_next/') || FILES.includes(path)
