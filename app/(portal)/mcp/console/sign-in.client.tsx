'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import type { ProtocolMode } from '@/lib/portal/connection'
import { type Access, beginSignIn, endSignIn, type SignInPlaces } from '@/lib/portal/own-sign-in'

type Start = (mode: ProtocolMode, key: string, access: Access) => Promise<void>

const REFUSED = 'Nothing was connected. Sign in again, or use a key.'
const FAILED = 'The sign-in could not be completed. Try again, or use a key.'

/** Connects when the browser comes back from signing in. @returns why it did not, if so */
export function useSignIn(places: SignInPlaces | undefined, start: Start): string | undefined {
  const [fault, setFault] = useState<string>()
  const isDone = useRef(false)
  useEffect(() => {
    // A code works once, and in development effects run twice.
    if (!places || isDone.current) return
    isDone.current = true
    endSignIn(places).then(
      (came) => {
        if (!came) return
        if ('refused' in came) setFault(REFUSED)
        else void start(came.mode, '', came.access)
      },
      () => setFault(FAILED),
    )
  }, [places, start])
  return fault
}

/** Begins to connect as the person themselves. */
export function SignIn({
  places,
  mode,
  fault,
}: {
  places: SignInPlaces
  mode: ProtocolMode
  fault: string | undefined
}) {
  const [isBusy, setBusy] = useState(false)
  return (
    <div className="grid justify-items-start gap-1">
      <Button
        look="main"
        aria-disabled={isBusy}
        onClick={() => {
          if (isBusy) return
          setBusy(true)
          void beginSignIn(places, mode).catch(() => setBusy(false))
        }}
      >
        {isBusy ? 'Opening…' : 'Sign in with your account'}
      </Button>
      <p className="text-sm text-quiet">
        As yourself, the way an assistant does: choose the contractor and what the console may do. It ends when you
        close the page.
      </p>
      {fault && (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
    </div>
  )
}
