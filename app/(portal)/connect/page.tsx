import type { Metadata } from 'next'
import { requireSession, type Session } from '@/app/session/actor'
import { Card, PageHead } from '@/app/ui/card'
import { Facts } from '@/app/ui/facts'
import { Notice } from '@/app/ui/notice'
import { type ConsentRequest, readConsentRequest } from '@/lib/auth/oauth/consent'
import { ROLE_TEXTS, scopesOfRole } from '@/lib/auth/roles'
import { toServiceError } from '@/lib/core/errors'
import { SCOPES_WITH_TEXTS } from '@/lib/resources/scope-texts'
import { NoContractor } from '../no-contractor'
import { Decide } from './decide.client'

export const metadata: Metadata = { title: 'Connect', robots: { index: false } }

const UNSEEN = 'The program wants to be connected without your seeing what it asks. Start again in the program.'

/**
 * Messages for errors that the authorization server found where nobody may be sent back to the program. The server's own message may
 * contain text from a stranger, and a code that is not here has the text for all.
 */
const FAULTS: Record<string, string> = {
  invalid_client: 'The program is not known here. Remove the connection in the program and add it there.',
  client_disabled: 'This program may not be connected.',
  invalid_redirect: 'The program asks to be sent back to an address that it did not register.',
  invalid_target: 'The program asks for something that is not here. Check the address that you entered in it.',
  unsupported_response_type: 'The program asks in an old way that is not safe. Use a newer version of the program.',
  login_required: UNSEEN,
  consent_required: UNSEEN,
  temporarily_unavailable: 'Too many programs ask at this moment. Wait a minute, and start again in the program.',
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
      <Notice tone="danger" alert>
        <p>{text}</p>
      </Notice>
    </div>
  )
}

/** Returns the name of the program that asks, with the host that vouches for it; anyone may choose the name of one that has none. */
function who({ name, host }: ConsentRequest): string {
  return host ? `${name} (${host})` : `A program that calls itself “${name}”`
}

function About({ asked }: { asked: ConsentRequest }) {
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

/** Returns the scopes that may be ticked, each with its meaning and whether somebody with these roles may grant it. */
function choicesOf({ scopes }: ConsentRequest, { memberships }: Session) {
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
  const asked = await readConsentRequest(query).catch((error: unknown) => toServiceError(error))
  if (asked instanceof Error) return <Failed text={asked.message} />
  const { memberships, current, person } = session
  if (!current) return <NoContractor person={person} />
  return (
    <div className="mx-auto max-w-lg">
      <PageHead
        title="Connect a program"
        text={
          <>
            <strong className="wrap-anywhere text-ink">{who(asked)}</strong> wants to read {current.name}’s data for
            you.
          </>
        }
      />
      <Card>
        <About asked={asked} />
        <Decide
          query={query}
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
