'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { FIRST_REQUEST_PATH, readFirstRequest, type Watched } from '@/lib/portal/first-request'

const EVERY_MS = 3_000
/** States in which polling continues. */
const OPEN: Watched['state'][] = ['asking', 'waiting', 'lost']

const ask = (since: string): Promise<Watched> =>
  fetch(`${FIRST_REQUEST_PATH}?since=${encodeURIComponent(since)}`, { headers: { accept: 'application/json' } }).then(
    async (answer) => readFirstRequest(answer.status, await answer.json().catch(() => undefined)),
    (): Watched => ({ state: 'lost' }),
  )

/** Polls until the request has arrived or the reader turns out not to be signed in. A hidden page does not poll. */
function useFirstRequest(since: string): Watched {
  const [watched, setWatched] = useState<Watched>({ state: 'asking' })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const turn = async () => {
      const found: Watched | undefined = document.hidden ? undefined : await ask(since)
      if (gone) return
      if (found) setWatched(found)
      if (!found || OPEN.includes(found.state)) timer = setTimeout(turn, EVERY_MS)
    }
    void turn()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [since])
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
 * sign-in URL that returns to this page.
 */
export function FirstRequest({ since, signIn }: { since: string; signIn: string }) {
  const watched = useFirstRequest(since)
  const isOpen = watched.state === 'asking' || watched.state === 'waiting'
  return (
    <div role="status" className="my-4 flex items-center gap-3 rounded-lg border border-line bg-raised px-4 py-3">
      <span
        aria-hidden="true"
        className={`size-2.5 shrink-0 rounded-full ${watched.state === 'seen' ? 'bg-good' : 'bg-edge'} ${isOpen ? 'motion-safe:animate-pulse' : ''}`}
      />
      <span className="min-w-0">{wordsFor(watched, signIn)}</span>
    </div>
  )
}
