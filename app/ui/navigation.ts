import {
  Activity,
  Banknote,
  Bell,
  BookOpen,
  BookOpenCheck,
  Bot,
  Calculator,
  ChartNoAxesColumn,
  Compass,
  Files,
  FileUp,
  Hammer,
  House,
  type IconNode,
  Inbox,
  KeyRound,
  ReceiptText,
  ScrollText,
  ShieldCheck,
  SquareTerminal,
  Users,
  UsersRound,
  Webhook,
} from 'lucide'
import { inWords, RESOURCE_NAMES } from '@/lib/core/resource-names'
import type { Role } from '@/lib/core/roles'
import { sentence } from './data-column'

export type { Role }

/** A page that people look for by name; `words` are others for it, which the palette knows. */
export type Destination = { href: string; name: string; about: string; words?: string }
/** A page in the navigation. `path` is its own, whichever host its link leads to; `below` are further paths that belong to it. */
export type Place = Destination & { icon: IconNode; path: string; below: string[] }
export type Group = { name: string; pages: Place[] }

type Entry = {
  path: string
  name: string
  icon: IconNode
  about: string
  words?: string
  roles: Role[]
  ofConnections?: true
  below?: string[]
}

const EVERYONE: Role[] = ['admin', 'developer', 'viewer']
const TECHNICAL: Role[] = ['admin', 'developer']
const ADMINS: Role[] = ['admin']

const EXPLORER = '/developers/api'
const CONSOLE = '/mcp/console'

/** What the office works with. */
const BUSINESS: Entry[] = [
  { path: '/', name: 'Home', icon: House, about: 'Today’s figures and what needs you', roles: EVERYONE },
  {
    path: '/reports',
    name: 'Reports',
    icon: ChartNoAxesColumn,
    about: 'Who owes, cash, revenue, jobs, leads, unbilled work',
    words: 'balance unpaid receivables aging overdue',
    roles: EVERYONE,
  },
  {
    path: '/leads',
    name: 'Leads',
    icon: Inbox,
    about: 'People who asked for work, and what became of it',
    words: 'deliveries refused',
    roles: EVERYONE,
  },
  { path: '/customers', name: 'Customers', icon: Users, about: 'Who you work for, and what they owe', roles: EVERYONE },
  { path: '/projects', name: 'Projects', icon: Hammer, about: 'Jobs and their status', words: 'jobs', roles: EVERYONE },
  {
    path: '/invoices',
    name: 'Invoices',
    icon: ReceiptText,
    about: 'What was billed, and what is still open',
    words: 'balance unpaid bills',
    roles: EVERYONE,
  },
  { path: '/payments', name: 'Payments', icon: Banknote, about: 'What was paid, and how', roles: EVERYONE },
  {
    path: '/estimates',
    name: 'Estimates',
    icon: Calculator,
    about: 'What was offered',
    words: 'bids quotes',
    roles: EVERYONE,
  },
]

/** The records that have no entry of their own among them. */
const RECORDS: Entry[] = RESOURCE_NAMES.map((name) => `/${name}`)
  .filter((path) => !BUSINESS.some((entry) => entry.path === path))
  .map((path) => ({
    path,
    name: sentence(inWords(path.slice(1))),
    icon: Files,
    about: `All ${inWords(path.slice(1))}`,
    roles: EVERYONE,
  }))

/** What brings data in and out. */
const CONNECTIONS: Entry[] = [
  {
    path: '/data/load',
    name: 'Load files',
    icon: FileUp,
    about: 'CSV and Excel files from your office software',
    words: 'import upload take back undo',
    roles: ADMINS,
    below: ['/data/sources'],
  },
  {
    path: '/data/quickbooks',
    name: 'QuickBooks',
    icon: BookOpenCheck,
    about: 'Books that are read by themselves',
    roles: ADMINS,
  },
  {
    path: '/connections',
    name: 'Assistants',
    icon: Bot,
    about: 'Claude, ChatGPT and other programs that people connected',
    words: 'connections agents',
    roles: EVERYONE,
    ofConnections: true,
  },
  {
    path: '/outgoing',
    name: 'Webhooks',
    icon: Webhook,
    about: 'Post changes to your own systems',
    roles: ADMINS,
  },
]

/** What people who program use. */
const DEVELOPERS: Entry[] = [
  { path: '/keys', name: 'Keys', icon: KeyRound, about: 'Issue, rotate and revoke API keys', roles: ADMINS },
  { path: '/logs', name: 'Logs', icon: ScrollText, about: 'Every request and its status', roles: TECHNICAL },
  { path: '/usage', name: 'Usage', icon: Activity, about: 'Requests, errors and limits over time', roles: TECHNICAL },
  { path: EXPLORER, name: 'Explorer', icon: Compass, about: 'Every endpoint, with samples', roles: TECHNICAL },
  { path: CONSOLE, name: 'Console', icon: SquareTerminal, about: 'Try the tools for agents', roles: TECHNICAL },
  {
    path: '/developers/guides',
    name: 'Guides',
    icon: BookOpen,
    about: 'Quick start, sync, leads, agents, errors',
    words: 'documentation help',
    roles: TECHNICAL,
  },
]

/** What concerns the contractor's account; stands apart at the foot. */
const CONTRACTOR: Entry[] = [
  { path: '/team', name: 'Team', icon: UsersRound, about: 'People and their roles', roles: ADMINS },
  { path: '/audit', name: 'Audit', icon: ShieldCheck, about: 'Who changed what, and when', roles: ADMINS },
  {
    path: '/alerts',
    name: 'Alerts',
    icon: Bell,
    about: 'Messages by email or Slack when something goes wrong',
    roles: TECHNICAL,
  },
]

/** The URLs of pages when they are on other hosts; `portal` is empty on a single machine. `connects`: whether programs can be connected here. */
export type Places = { portal: string; explorer: string; console: string; connects: boolean }

/** Returns the link to a page by its path. */
export const hrefOf = (path: string, { portal, explorer, console }: Places): string =>
  path === EXPLORER ? explorer : path === CONSOLE ? console : portal + path

const NAMES_FOR_VISITORS: Record<string, string> = { [EXPLORER]: 'API explorer', [CONSOLE]: 'MCP console' }

/**
 * Returns the navigation for a role, in display order.
 * @param role undefined for a visitor who is not signed in
 */
export function navigationFor(role: Role | undefined, places: Places): Group[] {
  const place = ({ path, name, icon, about, words, below = [] }: Entry): Place => ({
    href: hrefOf(path, places),
    path,
    name: role ? name : (NAMES_FOR_VISITORS[path] ?? name),
    icon,
    about,
    below,
    ...(words && { words }),
  })
  const isOpen = ({ path, roles, ofConnections }: Entry) =>
    role
      ? roles.includes(role) && (places.connects || !ofConnections)
      : [EXPLORER, CONSOLE, '/developers/guides'].includes(path)
  return [
    { name: 'Business', entries: [...BUSINESS, ...RECORDS] },
    { name: 'Connections', entries: CONNECTIONS },
    { name: 'Developers', entries: DEVELOPERS },
    { name: 'Contractor', entries: CONTRACTOR },
  ].flatMap(({ name, entries }) => {
    const pages = entries.filter(isOpen).map(place)
    return pages.length > 0 ? [{ name, pages }] : []
  })
}

/** Reports whether a path is a place's own, or below it. */
export const isUnder = (pathname: string, { path, below }: Pick<Place, 'path' | 'below'>): boolean =>
  [path, ...below].some((own) => pathname === own || pathname.startsWith(`${own}/`))
