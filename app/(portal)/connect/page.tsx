import type { Metadata } from 'next'
import { requireSession, type Session } from '@/app/session/actor'
import { Card, PageHead } from '@/app/ui/card'
import { Facts } from '@/app/ui/facts'
import { Notice } from '@/app/ui/notice'
import { type Asked, readAsked } from '@/lib/auth/oauth/consent'
import { ROLE_TEXTS, scopesOfRole } from '@/lib/auth/roles'
import { toServiceError } from '@/lib/core/errors'
import { SCOPES_WITH_TEXTS } from '@/lib/resources/scope-texts'
import { NoContractor } from '../no-contractor'
import { Decide } from './decide.client'

export const metadata: Metadata = { title: 'Connect', robots: { index: false } }

/** What the authorization server found wrong before it could send the browser back. Its own words may hold a stranger's. */
const FAULTS: Record<string, string> = {
  invalid_client: 'The program is not known here. Remove the connection in the program and add it there.',
  client_disabled: 'This program may not be connected.',
  invalid_redirect: 'The program asks to be sent back to an address that it did not register.',
}

type Query = Record<string, string | string[] | undefined>

/** The query as the authorization server signed it. */
function queryOf(search: Query): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each]))
  return new URLSearchParams(pairs).toString()
}

function Failed({ text }: { text: string }) {
  return (
    <div className="mx-auto max-w-lg">
      <PageHead title="This program cannot be connected" />
      <Notice tone="bad" alert>
        <p>{text}</p>
      </Notice>
    </div>
  )
}

/** Who asks: the host that vouches for the name, where one does, before the name that anyone may give themselves. */
function who({ name, host }: Asked): string {
  return host ?? `A program that calls itself “${name}”`
}

function About({ asked }: { asked: Asked }) {
  return (
    <Facts
      facts={[
        ['Program', asked.name],
        ['Identity', asked.host ? `Verified: ${asked.host}` : 'Not verified: anyone can use this name'],
        ['Sends you back to', asked.destination],
      ]}
    />
  )
}

/** What may be ticked: for each scope its meaning, and whether somebody of these roles may grant it. */
function choicesOf({ scopes }: Asked, { memberships }: Session) {
  const asked = SCOPES_WITH_TEXTS.filter(({ id }) => scopes.includes(id))
  return asked
    .filter(({ id }) => memberships.some(({ role }) => scopesOfRole(role).has(id)))
    .map(({ id, text }) => ({ id, text, writes: id.startsWith('write:') }))
}

/** Asks a person whether a program may act for them: who it is, for which contractor, and what it may do. */
export default async function Connect({ searchParams }: { searchParams: Promise<Query> }) {
  const search = await searchParams
  if (typeof search.error === 'string')
    return <Failed text={FAULTS[search.error] ?? 'Its request was not understood. Start again in the program.'} />
  const session = await requireSession()
  const query = queryOf(search)
  const asked = await readAsked(query).catch((error: unknown) => toServiceError(error))
  if (asked instanceof Error) return <Failed text={asked.message} />
  const { memberships, current, person } = session
  if (!current) return <NoContractor person={person} />
  return (
    <div className="mx-auto max-w-lg">
      <PageHead
        title="Connect a program"
        text={
          <>
            <strong className="wrap-anywhere text-ink">{who(asked)}</strong> wants to act for {person.name}.
          </>
        }
      />
      <Card>
        <About asked={asked} />
        <Decide
          query={query}
          name={asked.host ?? asked.name}
          destination={asked.destination}
          scopes={choicesOf(asked, session)}
          chosen={current.contractorId}
          contractors={memberships.map(({ contractorId, name, role }) => ({
            contractorId,
            name,
            role: ROLE_TEXTS[role].title,
          }))}
        />
      </Card>
    </div>
  )
}
