import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { type Destination, hrefOf, type Places, type Role } from './navigation'

type Known = { path: string; name: string; about: string; words?: string; roles: Role[] }

const EVERYONE: Role[] = ['admin', 'developer', 'viewer']
const TECHNICAL: Role[] = ['admin', 'developer']
const ADMINS: Role[] = ['admin']

const report = (path: string, name: string, about: string, words: string): Known => ({
  path: `/reports/${path}`,
  name,
  about,
  words,
  roles: EVERYONE,
})

/** Pages one level below the navigation that people search for by name. */
const PAGES: Known[] = [
  report(
    'who-owes',
    'Who owes',
    'Balances of customers, by how late they are',
    'unpaid balance receivables aging debt',
  ),
  report('open-invoices', 'Open invoices', 'What is still to be paid', 'unpaid balance due'),
  report('cash', 'Cash', 'Money in and out', 'cash flow'),
  report('revenue', 'Revenue', 'What was billed, against last year', 'sales income'),
  report('jobs', 'Jobs', 'What each job earned, and what is left to bill', 'margin profit'),
  report('leads', 'Leads by source', 'From which leads jobs came', 'funnel close rate'),
  report('unbilled-work', 'Unbilled work', 'Work that no invoice has yet', 'to bill'),
  {
    path: '/transactions',
    name: 'Refunds, credits and write-offs',
    about: 'What is on the books beside payments',
    words: 'transactions adjustments reversals returned',
    roles: EVERYONE,
  },
  { path: '/data/sources', name: 'Scheduled sources', about: 'Files that are read by themselves', roles: ADMINS },
  {
    path: '/leads/secrets',
    name: 'Sender passwords',
    about: 'How senders prove themselves',
    words: 'secrets',
    roles: ADMINS,
  },
  { path: '/team/sso', name: 'Single sign-on', about: 'Your company’s own sign-in for the team', roles: ADMINS },
  { path: '/account', name: 'Account', about: 'Password, second factor, passkeys, sessions', roles: EVERYONE },
]

/** What people come to do, at the page where it begins. */
const ACTIONS: Known[] = [
  {
    path: '/invoices?status=overdue',
    name: 'Show overdue invoices',
    about: 'Invoices past their due day',
    words: 'late unpaid balance',
    roles: EVERYONE,
  },
  {
    path: '/team',
    name: 'Invite a person',
    about: 'To the team, with a role',
    words: 'add user member',
    roles: ADMINS,
  },
  {
    path: '/keys/new',
    name: 'Create key',
    about: 'For an integration, a lead source or an agent',
    words: 'new api token issue',
    roles: ADMINS,
  },
  { path: '/keys', name: 'Rotate a key', about: 'A new secret; the old one works on for a while', roles: ADMINS },
  {
    path: '/data/load',
    name: 'Take back a load',
    about: 'As if it had never been',
    words: 'undo revert',
    roles: ADMINS,
  },
  { path: '/connections', name: 'Connect an assistant', about: 'Claude, ChatGPT, Copilot, Cursor', roles: EVERYONE },
  { path: '/outgoing/new', name: 'Create webhook', about: 'Post changes to your own systems', roles: ADMINS },
  { path: '/leads/lab', name: 'Test a lead', about: 'See how a body would be read', words: 'lab', roles: TECHNICAL },
  ...RESOURCE_NAMES.map((name) => ({
    path: `/${name}/export`,
    name: `Export ${name}`,
    about: 'All of them, as a file for Excel',
    words: 'download csv',
    roles: EVERYONE,
  })),
]

const knownTo = (role: Role | undefined, known: Known[], places: Places): Destination[] =>
  known
    .filter(({ roles, path }) => role && roles.includes(role) && (places.connects || path !== '/connections'))
    .map(({ path, name, about, words }) => ({ href: hrefOf(path, places), name, about, ...(words && { words }) }))

/** Returns the pages that the palette knows beyond the navigation. */
export const pagesBelow = (role: Role | undefined, places: Places): Destination[] => knownTo(role, PAGES, places)

/** Returns what the palette offers to do, which it lists once something was typed. */
export const actionsFor = (role: Role | undefined, places: Places): Destination[] => knownTo(role, ACTIONS, places)
