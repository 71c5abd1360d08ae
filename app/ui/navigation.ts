import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import type { Role } from '@/lib/core/roles'

export type { Role }

/** A page in the navigation. */
export type Destination = { href: string; name: string; about: string }
export type Group = { name: string; pages: Destination[] }

type Guarded = Destination & { roles: Role[]; ofConnections?: true }

const EVERYONE: Role[] = ['admin', 'developer', 'viewer']

/** The pages of a signed-in person. A role sees only its pages, and the pages themselves check the role too. */
const OWN: Guarded[] = [
  { href: '/', name: 'Home', about: 'Today’s figures and open tasks', roles: EVERYONE },
  { href: '/keys', name: 'Keys', about: 'Issue, rotate and revoke API keys', roles: ['admin'] },
  { href: '/logs', name: 'Logs', about: 'Every request and its status', roles: ['admin', 'developer'] },
  { href: '/usage', name: 'Usage', about: 'Requests, errors and limits over time', roles: ['admin', 'developer'] },
  { href: '/leads', name: 'Leads', about: 'Deliveries to the lead webhook', roles: ['admin', 'developer'] },
  { href: '/data', name: 'Data', about: `Browse ${RESOURCE_NAMES.join(', ')}`, roles: EVERYONE },
  {
    href: '/alerts',
    name: 'Alerts',
    about: 'Messages by email or Slack when something goes wrong',
    roles: ['admin', 'developer'],
  },
  { href: '/outgoing', name: 'Webhooks', about: 'Post changes to your own systems', roles: ['admin'] },
  {
    href: '/connections',
    name: 'Connections',
    about: 'Programs that people connected',
    roles: EVERYONE,
    ofConnections: true,
  },
  { href: '/team', name: 'Team', about: 'People and their roles', roles: ['admin'] },
  { href: '/audit', name: 'Audit', about: 'Who changed what, and when', roles: ['admin'] },
]

/** Pages one level down that people search for by name; the palette lists them in addition to the navigation. */
const BELOW: Guarded[] = [
  {
    href: '/keys/new',
    name: 'Create key',
    about: 'A key for an integration, a lead source or an agent',
    roles: ['admin'],
  },
  { href: '/team/sso', name: 'Single sign-on', about: 'Your company’s own sign-in for the team', roles: ['admin'] },
  { href: '/outgoing/new', name: 'Create webhook', about: 'Where changes are posted', roles: ['admin'] },
  { href: '/data/load', name: 'Load files', about: 'From your office software', roles: ['admin'] },
  {
    href: '/data/quickbooks',
    name: 'QuickBooks Online',
    about: 'Books that are read by themselves',
    roles: ['admin'],
  },
  { href: '/leads/lab', name: 'Lead lab', about: 'Test how a body would be read', roles: ['admin', 'developer'] },
  {
    href: '/leads/secrets',
    name: 'Secrets of senders',
    about: 'By which Typeform, Meta and Google prove that they sent a lead',
    roles: ['admin'],
  },
  { href: '/account', name: 'Account', about: 'Password, second factor, passkeys, sessions', roles: EVERYONE },
]

/** Returns the pages that the palette knows beyond the navigation. */
export const pagesBelow = (role: Role | undefined, { portal }: Places): Destination[] =>
  BELOW.filter(({ roles }) => role && roles.includes(role)).map(({ href, name, about }) => ({
    href: portal + href,
    name,
    about,
  }))

/** Where pages are when they are on other hosts; `portal` is empty on a single machine. `connects`: whether programs can be connected here. */
export type Places = { portal: string; explorer: string; console: string; connects: boolean }

/**
 * Returns the navigation for a role, in display order.
 * @param role undefined for a visitor who is not signed in
 */
export function navigationFor(role: Role | undefined, { portal, explorer, console, connects }: Places): Group[] {
  const developers: Group = {
    name: 'Developers',
    pages: [
      { href: explorer, name: 'API explorer', about: 'Every endpoint, with samples' },
      { href: console, name: 'MCP console', about: 'Try the tools for agents' },
      { href: `${portal}/developers/guides`, name: 'Guides', about: 'Quick start, sync, leads, agents, errors' },
    ],
  }
  if (!role) return [developers]
  const own = OWN.filter(({ roles, ofConnections }) => roles.includes(role) && (connects || !ofConnections))
  const pages = own.map(({ href, name, about }) => ({ href: portal + href, name, about }))
  return [{ name: 'Contractor', pages }, developers]
}
