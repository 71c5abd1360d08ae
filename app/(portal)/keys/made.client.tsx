'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, LinkButton } from '@/app/ui/button'
import { PRE } from '@/app/ui/classes'
import { CopyButton } from '@/app/ui/copy.client'
import { SecretReveal } from '@/app/ui/secret.client'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import type { Callable } from '@/lib/portal/api-call'
import { type Addresses, firstCall, leadUrl, withKey } from '@/lib/portal/first-call'
import { FirstRequest } from '../developers/guides/first-request.client'

/** Returns the first call of a key that reads: a page of the first resource it may read; undefined for a key that reads none. */
function readingCall(scopes: readonly string[], api: string): Callable | undefined {
  const resource = RESOURCE_NAMES.find((name) => scopes.includes(scopeOf(name)))
  if (!resource) return undefined
  const path = `/api/v1/${resource}`
  return { method: 'GET', url: `${api}/${resource}`, path, needsKey: true, inPath: [], bodyType: undefined }
}

const NO_ANSWER =
  'There was no response: the server cannot be reached from here. Check your connection and send it again.'

/** Sends the first call from the page, and shows its answer. */
function SendCall({ call, secret, relayHost }: { call: Callable; secret: string; relayHost: string | undefined }) {
  const [answer, setAnswer] = useState<ReactNode>()
  const [isBusy, setBusy] = useState(false)
  // What sends and shows is loaded by the press: most visits of the page make no key.
  const answerOf = async () => {
    const [{ placeOn, send }, { LiveAnswer }] = await Promise.all([
      import('@/lib/portal/api-call'),
      import('../developers/api/(reference)/live-answer.client'),
    ])
    const came = await send(call, placeOn(location.hostname, relayHost), { limit: '1' }, '', secret)
    return <LiveAnswer came={came} logs={undefined} />
  }
  const sendNow = async () => {
    if (isBusy) return
    setBusy(true)
    setAnswer(await answerOf().catch(() => <p role="alert">{NO_ANSWER}</p>))
    setBusy(false)
  }
  return (
    <div className="grid gap-3 noscript:hidden *:min-w-0">
      <div>
        <Button aria-disabled={isBusy} onClick={sendNow}>
          Send the first call
        </Button>
      </div>
      {answer}
    </div>
  )
}

/** A new key as the browser receives it, only once. */
export type Made = {
  id: string
  /** The time when it was created, by the server's clock (ISO). */
  at: string
  secret: string
  scopes: string[]
  preset?: string | null
  leadSource?: string | null
  /** When the old secret stops working, as people read it. */
  oldWorksUntil?: string | undefined
}

const masked = (secret: string) => secret.replace(/^(plb_[a-z]+_).*(.{4})$/, '$1…$2')

/** The first call to paste, with the key hidden until it is copied. */
function FirstCall({ call, secret }: { call: string; secret: string }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1">First call</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1). */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, this is text. */}
      <pre tabIndex={0} role="group" aria-label="First call" className={PRE}>
        <code>{withKey(call, masked(secret))}</code>
      </pre>
      <div className="mt-2">
        <CopyButton text={withKey(call, secret)} label="Copy with the key" />
      </div>
    </div>
  )
}

/** Senders that sign what they send. */
const SIGNING = ['meta', 'typeform']

/** The action of the last button, and whether it is running. */
type End = { onDone: () => void; isClosing?: boolean }

/** Shows the secret and a first call ready to paste. The secret exists only in this element. */
export function MadeKey({ made, addresses, ...end }: { made: Made; addresses: Addresses } & End) {
  const { secret, scopes, preset = null, leadSource, oldWorksUntil } = made
  const source = leadSource ?? 'zapier'
  const [isSaved, setSaved] = useState(false)
  // What a sender has a form of its own for is sent by the sender, and by nobody by hand.
  const call = source === 'zapier' ? firstCall(scopes, preset, addresses) : undefined
  const reading = readingCall(scopes, addresses.api)
  const sends = reading && <SendCall call={reading} secret={secret} relayHost={addresses.relayHost} />
  if (isSaved)
    return (
      <Waiting made={made} {...end}>
        {sends}
      </Waiting>
    )
  return (
    <div className="grid gap-5 *:min-w-0">
      {oldWorksUntil && (
        <p>
          The old secret works until {oldWorksUntil}. Replace it wherever it is used; the key’s page shows from where it
          still comes.
        </p>
      )}
      {preset === 'lead-url' ? (
        <>
          <SecretReveal label="Secret URL" secret={leadUrl(addresses.leads, secret, source)} hasFocus />
          <p className="text-sm text-quiet">
            Give this URL to the sender. It works for <code>{source}</code> only.{' '}
            {SIGNING.includes(source) && (
              <a href="/leads/secrets" target="_blank" rel="noopener">
                Also set the secret that it signs with (new tab)
              </a>
            )}
          </p>
        </>
      ) : (
        <SecretReveal label="API key" secret={secret} hasFocus />
      )}
      {call !== undefined && <FirstCall call={call} secret={secret} />}
      {sends}
      <div>
        <Button look="main" className="noscript:hidden" onClick={() => setSaved(true)}>
          I’ve saved it
        </Button>
        <noscript>
          <LinkButton look="main" href="/keys">
            I’ve saved it
          </LinkButton>
        </noscript>
      </div>
    </div>
  )
}

/** Waits for the first request with the new key, once the secret is saved. It can still be sent from here. */
function Waiting({ made: { id, at }, onDone, isClosing = false, children }: { made: Made; children: ReactNode } & End) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="grid gap-4">
      <p>Make the first call. This turns green when it arrives. You can also close this and check later.</p>
      <FirstRequest since={at} keyId={id} signIn="/sign-in?next=%2Fkeys" />
      {children}
      <div>
        <Button ref={button} look="main" aria-disabled={isClosing} onClick={() => isClosing || onDone()}>
          Done
        </Button>
      </div>
    </div>
  )
}
