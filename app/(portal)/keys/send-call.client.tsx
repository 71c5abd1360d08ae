'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '@/app/ui/button'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import type { Callable } from '@/lib/portal/api-call'

/** Returns the first call of a key that reads: a page of the first resource it may read; undefined for a key that reads none. */
export function readingCall(scopes: readonly string[], api: string): Callable | undefined {
  const resource = RESOURCE_NAMES.find((name) => scopes.includes(scopeOf(name)))
  if (!resource) return undefined
  const path = `/api/v1/${resource}`
  return { method: 'GET', url: `${api}/${resource}`, path, needsKey: true, inPath: [], bodyType: undefined }
}

const NO_ANSWER =
  'There was no response: the server cannot be reached from here. Check your connection and send it again.'

/** Sends the first call from the page, and shows its answer. */
export function SendCall({
  call,
  secret,
  relayHost,
}: {
  call: Callable
  secret: string
  relayHost: string | undefined
}) {
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
