import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { requireActor } from '@/app/session/actor'
import { Time } from '@/app/session/time'
import { Button } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { CopyButton } from '@/app/ui/copy.client'
import { Facts } from '@/app/ui/facts'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { ERROR_TEXTS, type ErrorText } from '@/lib/core/error-texts'
import { ServiceError } from '@/lib/core/errors'
import { faultText } from '@/lib/mcp/fault'
import { execute } from '@/lib/operations/execute'
import { getRequest, listRequests } from '@/lib/operations/requests/log'
import { logHref } from '../filters'
import { type KeyName, nameOf, readKeyNames } from '../rows'
import { Status } from '../table'
import { Again } from './again'

type Found = { id: string; at: string; endpoint: string; keyId: string | null; errorCode: string | null }

/** Returns the best request to compare with: the previous one of the same key and operation, or for a failed one the last success. */
async function comparable(actor: PersonActor, found: Found): Promise<string | undefined> {
  const { at, endpoint, keyId, errorCode } = found
  const alike = { to: at, endpoint, limit: 20, ...(keyId && { keyId }), ...(errorCode && { statusClass: 2 }) }
  const { items } = await execute(listRequests, { actor, now: new Date() }, alike)
  return items.find((item) => errorCode === null || item.errorCode === null)?.id
}

/** Links to compare a request: with the most useful one, or with any other id. */
function CompareWith({ id, other, wasError }: { id: string; other: string | undefined; wasError: boolean }) {
  return (
    <Card title="Compare">
      {other && (
        <p className="mb-3">
          <a href={`/logs/compare?a=${other}&b=${id}`}>
            {wasError
              ? 'With this key’s last successful request to this operation'
              : 'With this key’s previous request to this operation'}
          </a>
        </p>
      )}
      <form action="/logs/compare" className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="b" value={id} />
        <Field label="Another request id" className="grow sm:max-w-md">
          {(tied) => <Input name="a" required placeholder="req_…" autoComplete="off" spellCheck={false} {...tied} />}
        </Field>
        <Button type="submit">Compare</Button>
      </form>
    </Card>
  )
}

const KNOWN: Partial<Record<string, ErrorText>> = ERROR_TEXTS

/** Explains a failed request by its code in the log, which is one of the API's codes or an MCP protocol error. */
function meaningOf({ errorCode, path }: { errorCode: string | null; path: string }): ErrorText | undefined {
  if (errorCode === null) return undefined
  const isMcp = /^\/mcp(\/|$)/.test(path)
  return (isMcp ? faultText(errorCode) : undefined) ?? KNOWN[errorCode] ?? faultText(errorCode)
}

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Request …${(await params).id.slice(-6)}` }
}

/** Returns a request of the user's contractor. Answers 404 for another contractor's request or an invalid id. */
async function readRequest(actor: PersonActor, id: string) {
  try {
    return await execute(getRequest, { actor, now: new Date() }, { id })
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'not_found' || error.code === 'bad_request')) notFound()
    throw error
  }
}

type Logged = Awaited<ReturnType<typeof readRequest>>

const link = (href: string, words: ReactNode) => <a href={href}>{words}</a>

/** The time range around a request for the link to its neighbors. */
const AROUND_MS = 60_000

function around(at: string): string {
  const moment = (shift: number) => new Date(Date.parse(at) + shift).toISOString()
  return logHref({ from: moment(-AROUND_MS), to: moment(AROUND_MS) })
}

/** Shows the key's name and who created it, with a link to the key for administrators. */
function keyOf({ keyId, key }: Logged, keys: KeyName[], isAdmin: boolean): ReactNode {
  if (!keyId) return 'none'
  const name = key ? `${key.name} · ${key.last4}` : nameOf(keys, keyId)
  return (
    <>
      {link(isAdmin ? `/keys/${keyId}` : logHref({ key: keyId }), name)}
      {key?.madeBy && <span className="block text-sm text-quiet">created by {key.madeBy}</span>}
    </>
  )
}

function factsOf(found: Logged, keys: KeyName[], isAdmin: boolean): [string, ReactNode][] {
  const { status, errorCode, at, durationMs, delivery, address, userAgent, endpoint, mcpMethod, query } = found
  const mono = (text: string) => <span className="font-mono text-sm">{text}</span>
  return [
    ['Status', <Status key="status" status={status} errorCode={errorCode} />],
    ...(errorCode ? [['Error code', mono(errorCode)] satisfies [string, ReactNode]] : []),
    ['Time', <Time key="at" at={new Date(at)} seconds />],
    ['Duration', `${durationMs.toFixed(1)} ms`],
    ['Key', keyOf(found, keys, isAdmin)],
    ['Address', link(logHref({ address }), mono(address))],
    ['Operation', link(logHref({ endpoint }), mono(endpoint))],
    ...(delivery
      ? [['Delivery', link(`/leads/${delivery.id}`, deliveryName(delivery))] satisfies [string, ReactNode]]
      : []),
    ...(mcpMethod ? [['MCP method', mono(mcpMethod)] satisfies [string, ReactNode]] : []),
    ['Parameters', query ? mono(query) : 'none stored'],
    ['Client', userAgent ? mono(userAgent) : 'not given'],
  ]
}

const deliveryName = ({ name, outcome }: NonNullable<Logged['delivery']>) =>
  `${name ? `Lead of ${cleanText(name)}` : 'Lead without a name'}, ${outcome}`

/** Shows text, with the parts between backticks as code. */
const Words = ({ text }: { text: string }) =>
  text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that does not change have no other name.
      <code key={at} className="rounded-sm bg-sunken px-1 font-mono text-sm">
        {part}
      </code>
    ) : (
      part
    ),
  )

/** Explains why the request failed: the error message, its meaning, and how to fix it. */
function Meaning({ found }: { found: Logged }) {
  const meaning = meaningOf(found)
  const { errorMessage, errorFields } = found
  if (!meaning && !errorMessage) return null
  return (
    <Card title="What went wrong">
      {errorMessage && <p className="font-medium wrap-anywhere">{cleanText(errorMessage)}</p>}
      {errorFields && errorFields.length > 0 && (
        <p className="mt-1 wrap-anywhere">
          Fields: <Words text={errorFields.map((field) => `\`${cleanText(field).replaceAll('`', '')}\``).join(', ')} />
        </p>
      )}
      {meaning && (
        <>
          <p className="mt-2">
            <Words text={meaning.means} />
          </p>
          <p className="mt-2 text-quiet">
            <Words text={meaning.next} />
          </p>
        </>
      )}
    </Card>
  )
}

/** Shows where the time of a slow request went. What ran at the same time is shown with all of its own. */
function Timing({ timing }: Pick<Logged, 'timing'>) {
  if (!timing) return null
  const { waitedMs, oursMs, parts } = timing
  const facts: [string, ReactNode][] = [
    ['Waiting for a database connection', `${waitedMs} ms`],
    ...parts.map(({ name, ms, times }): [string, ReactNode] => [
      name,
      times > 1 ? `${ms} ms in ${times} statements` : `${ms} ms`,
    ]),
    ['In the service itself', `${oursMs} ms`],
  ]
  return (
    <Card title="Where the time went">
      <Facts facts={facts} />
    </Card>
  )
}

export default async function RequestPage({ params }: Props) {
  const { actor } = await requireActor(getRequest)
  const found = await readRequest(actor, (await params).id)
  const keys = await readKeyNames(actor)
  const { id, method, path, keyId, at } = found
  const other = await comparable(actor, found)
  return (
    <>
      <PageHead
        under={[{ name: 'Logs', href: '/logs' }]}
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
          <Facts facts={factsOf(found, keys, actor.role === 'admin')} />
        </Card>
        <Meaning found={found} />
        <Timing timing={found.timing} />
        <Again asked={found} />
        <nav aria-label="Related" className="flex flex-wrap gap-x-6 gap-y-2">
          {link(logHref({ path }), 'Requests to the same path')}
          {keyId && link(logHref({ key: keyId }), 'Requests with the same key')}
          {link(around(at), 'A minute before and after')}
        </nav>
        <CompareWith id={id} other={other} wasError={found.errorCode !== null} />
      </div>
    </>
  )
}
