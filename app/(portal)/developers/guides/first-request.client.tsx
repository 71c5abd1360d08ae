'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { FIRST_REQUEST_PATH, readFirstRequest, type Watched } from '@/lib/portal/first-call'

const EVERY_MS = 3_000
/** States in which polling continues. */
const OPEN: Watched['state'][] = ['asking', 'waiting', 'lost']

const ask = (since: string, keyId: string | undefined): Promise<Watched> =>
  fetch(`${FIRST_REQUEST_PATH}?${new URLSearchParams({ since, ...(keyId && { key: keyId }) })}`, {
    headers: { accept: 'application/json' },
  }).then(
    async (answer) => readFirstRequest(answer.status, await answer.json().catch(() => undefined)),
    (): Watched => ({ state: 'lost' }),
  )

/** Polls until the request has arrived or the reader turns out not to be signed in. A hidden page does not poll. */
function useFirstRequest(since: string, keyId: string | undefined): Watched {
  const [watched, setWatched] = useState<Watched>({ state: 'asking' })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const turn = async () => {
      const found: Watched | undefined = document.hidden ? undefined : await ask(since, keyId)
      if (gone) return
      if (found) setWatched(found)
      if (!found || OPEN.includes(found.state)) timer = setTimeout(turn, EVERY_MS)
    }
    void turn()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [since, keyId])
  return watched
}

function wordsFor(watched: Watched, signIn: string): ReactNode {
  switch (watched.state) {
    case 'seen':
      return (
        <>
          Your first request is here:{' '}
          <code className="font-mono">
            {watched.method} {watched.path}
          </code>
          , answered with {watched.status} at <time dateTime={watched.at}>{watched.at.slice(11, 19)} UTC</time>.
        </>
      )
    case 'signed-out':
      return (
        <>
          {watched.message} <a href={signIn}>Sign in</a>
        </>
      )
    case 'refused':
      return watched.message
    case 'lost':
      return 'The portal cannot be reached right now. Trying again every few seconds.'
    default:
      return 'Waiting for your first request…'
  }
}

/**
 * Reports when the reader's first request arrives. `since` is when the page was rendered, by the server's clock; `signIn` is the
 * sign-in URL that returns to this page. With `keyId` only a request with that key counts.
 */
export function FirstRequest({ since, signIn, keyId }: { since: string; signIn: string; keyId?: string }) {
  const watched = useFirstRequest(since, keyId)
  const isOpen = watched.state === 'asking' || watched.state === 'waiting'
  return (
    <div
      role="status"
      className={`my-4 flex items-center gap-3 rounded-lg border bg-raised px-4 py-3 ${watched.state === 'seen' ? 'border-good' : 'border-line'}`}
    >
      <span
        aria-hidden="true"
        className={`size-2.5 shrink-0 rounded-full ${watched.state === 'seen' ? 'bg-good' : 'bg-edge'} ${isOpen ? 'motion-safe:animate-pulse' : ''}`}
      />
      <span className="min-w-0">{wordsFor(watched, signIn)}</span>
    </div>
  )
}
