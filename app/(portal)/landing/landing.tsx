import { BookOpenText, Bot, type IconNode, SquareTerminal, Warehouse } from 'lucide'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { LinkButton } from '@/app/ui/button'
import { CodeBlock } from '@/app/ui/code-block'
import { Icon } from '@/app/ui/glyph'
import { LanguageTabs } from '@/app/ui/language-tabs.client'
import { baseUrls, env } from '@/lib/core/env'
import { LANGUAGE_COOKIE, languageOf } from '@/lib/portal/language'
import { SAMPLES } from '@/lib/portal/request-samples'
import { THEME_COOKIE, type Theme, themeOf } from '@/lib/portal/theme'
import { links } from '../../links'
import { terminalSample } from './sample'

/** The pictures of the product that `npm run pictures` takes of the demonstration, and what they show. */
const SHOWN = {
  home: 'The home page of a contractor: open and overdue amounts, leads, and what needs somebody',
  'who-owes': 'The report of who owes: the sums by age, and the customers with what they owe and since when',
}

type Props = {
  of: keyof typeof SHOWN
  theme: Theme
  /** True for the picture that is seen without scrolling. */
  isFirst?: boolean
}

/** A picture of the product in the reader's theme. Its size is known before it is loaded, so nothing moves. */
function Picture({ of, theme, isFirst = false }: Props) {
  const file = (shown: 'light' | 'dark') => `/pictures/${of}-${shown}.webp`
  return (
    <picture>
      {theme === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={file('dark')} />}
      <img
        src={file(theme === 'dark' ? 'dark' : 'light')}
        alt={SHOWN[of]}
        width={1280}
        height={800}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        className="h-auto w-full rounded-lg border border-line shadow-xl"
      />
    </picture>
  )
}

type Audience = {
  id: string
  icon: IconNode
  name: string
  title: string
  text: string
  points: string[]
  links: ReactNode
  shows: ReactNode
}

/** One section for each of the service's people: what they get, and what it looks like. */
function Section({ audience: { id, icon, name, title, text, points, links, shows } }: { audience: Audience }) {
  return (
    <section
      aria-labelledby={id}
      className="grid items-start gap-x-12 gap-y-6 border-t border-line py-12 *:min-w-0 lg:grid-cols-[5fr_6fr]"
    >
      <div>
        <p className="mb-2 flex items-center gap-2 text-md font-medium text-quiet">
          <Icon of={icon} />
          {name}
        </p>
        <h2 id={id} className="text-2xl text-balance">
          {title}
        </h2>
        <p className="mt-2 max-w-prose text-quiet">{text}</p>
        <ul className="mt-4 grid gap-2">
          {points.map((point) => (
            <li key={point} className="flex gap-2">
              <span aria-hidden="true" className="text-quiet">
                –
              </span>
              {point}
            </li>
          ))}
        </ul>
        <p className="mt-5 flex flex-wrap gap-x-6 gap-y-2">{links}</p>
      </div>
      {shows}
    </section>
  )
}

const OFFICE: Omit<Audience, 'shows'> = {
  id: 'office',
  icon: Warehouse,
  name: 'For the office',
  title: 'Who owes, since when, and what to do about it',
  text: 'Load the files that your office software exports. Lists, balances and reports are there a minute later, in your time zone and your currency.',
  points: [
    'Files of QuickBooks, Xero, Jobber, ServiceTitan, AccuLynx and more are recognized; questions come before anything is written',
    'QuickBooks Online is read by itself, and every load can be taken back',
    'Find a customer by half a name, a street, a phone number or the beginning of an invoice number',
  ],
  links: <a href="/developers/guides/loading-files">What can be loaded</a>,
}

const CODE = ['typescript', 'python'] as const

/** The same request in a terminal, with its response, and as code. */
function Request({ api, chosen }: { api: string; chosen: ReturnType<typeof languageOf> }) {
  const url = `${api}/invoices?status=overdue&limit=1`
  const asked = { url, method: 'GET', isSigned: true, headers: [], body: undefined }
  const code = CODE.map((id) => ({
    id,
    name: SAMPLES[id].name,
    content: <CodeBlock code={SAMPLES[id].make(asked)} language={id} label={`The request in ${SAMPLES[id].name}`} />,
  }))
  const terminal = (
    <CodeBlock label="A request and its response" language="shell" copy={false} code={terminalSample(api)} />
  )
  return (
    <div>
      <LanguageTabs
        label="Languages"
        tabs={[{ id: 'curl', name: SAMPLES.curl.name, content: terminal }, ...code]}
        chosen={chosen}
      />
    </div>
  )
}

const ASSISTANT = (mcp: string) => `$ claude mcp add --transport http plumbline ${mcp}

> Who owes us most, and since when?

  get_receivables_aging
  list_invoices  status=overdue

> Remind me on Monday to call Ana Lopez about her roof.

  set_lead_follow_up`

const OPERATION = `$ npm ci && npm run build
$ npm run demo        # two contractors with years of books
$ npm start           # an embedded database, or your Postgres
$ npm run status`

/** What visitors see: a picture of the product, whom it is for, and a section for each of them. */
export async function Landing() {
  const jar = await cookies()
  const { api, apiPrefix, mcp } = baseUrls(env())
  const { explorer, console } = links()
  const audiences: Audience[] = [
    { ...OFFICE, shows: <Picture of="who-owes" theme={themeOf(jar.get(THEME_COOKIE)?.value)} /> },
    {
      id: 'developers',
      icon: SquareTerminal,
      name: 'For developers',
      title: 'All records over one REST API',
      text: 'Exact amounts, signed page tokens, and a delta sync that misses nothing. Leads of any sender come in by one webhook.',
      points: [
        'Keys by scope and address, rotated without an outage; every request is in the log',
        'Angi, Thumbtack, Google Ads, Meta, Typeform, Zapier and web forms post their own formats; one lead makes one project, however often it is sent',
        'Webhooks when something changes, and an OpenAPI document for your generator',
      ],
      links: (
        <>
          <a href={explorer}>API explorer</a>
          <a href="/developers/guides/quick-start">Quick start</a>
          <a href="/api/v1/openapi">OpenAPI document</a>
        </>
      ),
      shows: <Request api={`${api}${apiPrefix}`} chosen={languageOf(jar.get(LANGUAGE_COOKIE)?.value)} />,
    },
    {
      id: 'agents',
      icon: Bot,
      name: 'For assistants and agents',
      title: 'The same figures, in a conversation',
      text: 'Claude, ChatGPT, Copilot and Cursor connect to the MCP server with your sign-in, and may do what you allow.',
      points: [
        'Reports, search, takeoffs, prices and permits as tools; answers name the records they come from',
        'Notes and follow-ups are written where you allow it, and every call is in the log',
        'What strangers wrote is marked as theirs, so that it is read and not obeyed',
      ],
      links: (
        <>
          <a href={console}>MCP console</a>
          <a href="/developers/guides/agents">Connect an assistant</a>
        </>
      ),
      shows: <CodeBlock code={ASSISTANT(mcp)} language="shell" label="A conversation with the books" copy={false} />,
    },
    {
      id: 'operators',
      icon: BookOpenText,
      name: 'For operators',
      title: 'One process, and nothing to babysit',
      text: 'Runs on one machine with its own database, over your Postgres with several workers, or on Vercel.',
      points: [
        'Backups, retention, metrics, traces and health are built in',
        'Each contractor’s records are fenced off in the database itself',
        'Roles, single sign-on, two-factor sign-in and an audit log',
      ],
      links: <a href="/status">Status of this service</a>,
      shows: <CodeBlock code={OPERATION} language="shell" label="From a clone to a service" copy={false} />,
    },
  ]
  return (
    <>
      <section className="grid items-center gap-8 pt-4 pb-12 *:min-w-0 lg:grid-cols-[5fr_7fr] lg:gap-12">
        <div>
          <h1 className="text-3xl sm:text-[2.75rem]/[1.1]">A contractor’s books, ready to read</h1>
          <p className="mt-4 max-w-xl text-lg text-quiet">
            For offices that want to know who owes what, and for the integrations, lead sources and assistants that work
            with the same exact figures.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <LinkButton look="main" href="/developers/guides/quick-start">
              Make the first call
            </LinkButton>
            <LinkButton href="/sign-in">Sign in</LinkButton>
          </div>
          <ul className="mt-8 flex flex-wrap gap-x-5 gap-y-2 text-md">
            {audiences.map(({ id, name }) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </div>
        <Picture of="home" theme={themeOf(jar.get(THEME_COOKIE)?.value)} isFirst />
      </section>
      {audiences.map((audience) => (
        <Section key={audience.id} audience={audience} />
      ))}
    </>
  )
}
