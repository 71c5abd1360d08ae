import type { Metadata } from 'next'
import { connection } from 'next/server'
import { baseUrls, env } from '@/lib/core/env'
import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { links } from '../links'
import { actorFor, currentSession } from '../session/actor'
import { LinkButton } from '../ui/button'
import { CodeBlock } from '../ui/code-block'
import { Home } from './home/home'
import { NoContractor } from './no-contractor'
import { terminalSample } from './sample'

export const metadata: Metadata = { alternates: { canonical: '/' } }

const offers = ({ explorer, console }: ReturnType<typeof links>) => [
  {
    href: explorer,
    name: 'Data API',
    text: `All records of ${RESOURCES_IN_WORDS}. Exact amounts, signed page tokens, and a complete delta sync.`,
    more: 'Open the explorer',
  },
  {
    href: '/developers/guides/leads',
    name: 'Lead webhook',
    text: 'Angi, Thumbtack, Google Ads, Zapier and web forms post their own formats. One lead creates one project, however often it is sent.',
    more: 'Connect a source',
  },
  {
    href: console,
    name: 'MCP server',
    text: 'Tools for agents with the same data and keys: search, takeoffs, prices, cash flow. With sessions or stateless.',
    more: 'Open the console',
  },
]

function Landing() {
  const urls = baseUrls(env())
  return (
    <>
      <section className="grid items-center gap-8 py-4 *:min-w-0 lg:grid-cols-[5fr_6fr] lg:gap-12">
        <div>
          <h1 className="text-[clamp(2rem,5vw,3rem)]">A contractor’s books, ready to read</h1>
          <p className="mt-4 max-w-xl text-lg text-quiet">
            Load the CSV files your office software exports, issue a key, and every integration, lead source and agent
            works with the same exact figures.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <LinkButton look="main" href="/developers/guides/quick-start">
              Make the first call
            </LinkButton>
            <LinkButton href="/api/v1/openapi">OpenAPI document</LinkButton>
          </div>
        </div>
        <CodeBlock
          label="A request and its response"
          language="shell"
          copy={false}
          whole
          code={terminalSample(`${urls.api}${urls.apiPrefix}`)}
        />
      </section>
      <ul className="mt-8 grid gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3">
        {offers(links()).map(({ href, name, text, more }) => (
          <li key={href} className="flex flex-col bg-raised p-5">
            <h2 className="text-lg">{name}</h2>
            <p className="mt-1 mb-3 flex-1 text-quiet">{text}</p>
            <a href={href} className="w-fit">
              {more}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The start page: an overview of the contractor for signed-in users, a description of the service for visitors. */
export default async function FirstPage() {
  await connection()
  const session = await currentSession()
  if (!session) return <Landing />
  if (!session.current) return <NoContractor person={session.person} />
  return <Home actor={await actorFor(session, session.current)} contractor={session.current.name} />
}
