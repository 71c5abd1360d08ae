import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { requireActor } from '@/app/session/actor'
import { Card, PageHead } from '@/app/ui/card'
import { CopyButton } from '@/app/ui/copy.client'
import { Facts } from '@/app/ui/facts'
import { Time } from '@/app/ui/time'
import type { PersonActor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { operations } from '@/lib/operations/registry'
import { logHref } from '../filters'
import { type KeyName, nameOf, readKeyNames } from '../rows'
import { Status } from '../status'
import { Again } from './again'
import { meaningOf } from './meaning'

export const metadata: Metadata = { title: 'Request' }

/** Returns a request of the user's contractor. Answers 404 for another contractor's request or an invalid id. */
async function readRequest(actor: PersonActor, id: string) {
  try {
    return await execute(operations.getRequest, { actor, now: new Date() }, { id })
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'not_found' || error.code === 'bad_request')) notFound()
    throw error
  }
}

type Logged = Awaited<ReturnType<typeof readRequest>>

const link = (href: string, words: ReactNode) => <a href={href}>{words}</a>

/** How far before and after a request its surroundings are shown. */
const AROUND_MS = 60_000

function around(at: string): string {
  const moment = (shift: number) => new Date(Date.parse(at) + shift).toISOString()
  return logHref({ from: moment(-AROUND_MS), to: moment(AROUND_MS) })
}

function factsOf(found: Logged, keys: KeyName[]): [string, ReactNode][] {
  const { status, errorCode, at, durationMs, keyId, address, userAgent, endpoint, mcpMethod, query } = found
  const mono = (text: string) => <span className="font-mono text-sm">{text}</span>
  return [
    ['Status', <Status key="status" status={status} errorCode={errorCode} />],
    ...(errorCode ? [['Error code', mono(errorCode)] satisfies [string, ReactNode]] : []),
    ['Time', <Time key="at" at={new Date(at)} seconds />],
    ['Duration', `${durationMs.toFixed(1)} ms`],
    ['Key', keyId ? link(logHref({ key: keyId }), nameOf(keys, keyId)) : 'none'],
    ['Address', link(logHref({ address }), mono(address))],
    ['Operation', link(logHref({ endpoint }), mono(endpoint))],
    ...(mcpMethod ? [['MCP method', mono(mcpMethod)] satisfies [string, ReactNode]] : []),
    ['Parameters', query ? mono(query) : 'none kept'],
    ['Client', userAgent ? mono(userAgent) : 'not given'],
  ]
}

/** Why the request failed, and how to fix it. */
function Meaning({ found }: { found: Logged }) {
  const meaning = meaningOf(found)
  if (!meaning) return null
  return (
    <Card title="What the error means">
      <p>{meaning.means}</p>
      <p className="mt-2 text-quiet">{meaning.next}</p>
    </Card>
  )
}

export default async function RequestPage({ params }: { params: Promise<{ id: string }> }) {
  const { actor } = await requireActor(operations.getRequest)
  const found = await readRequest(actor, (await params).id)
  const keys = await readKeyNames(actor)
  const { id, method, path, keyId, at } = found
  return (
    <>
      <p className="mb-3">{link('/logs', '← Logs')}</p>
      <PageHead
        title={
          <span className="font-mono wrap-anywhere">
            {method} {path}
          </span>
        }
        text={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-mono text-sm wrap-anywhere">{id}</span>
            <CopyButton text={id} label="Copy" of="Request id" />
          </span>
        }
      />
      <div className="grid gap-6">
        <Card>
          <Facts facts={factsOf(found, keys)} />
        </Card>
        <Meaning found={found} />
        <Again asked={found} />
        <nav aria-label="Related" className="flex flex-wrap gap-x-6 gap-y-2">
          {link(logHref({ path }), 'Requests to the same path')}
          {keyId && link(logHref({ key: keyId }), 'Requests with the same key')}
          {link(around(at), 'A minute before and after')}
          {keyId && actor.role === 'admin' && link(`/keys#${keyId}`, 'The key itself')}
        </nav>
      </div>
    </>
  )
}
