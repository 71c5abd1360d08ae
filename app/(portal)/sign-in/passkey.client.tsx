'use client'

import { startTransition, useActionState, useEffect, useRef } from 'react'
import { Button } from '@/app/ui/button'
import { Notice } from '@/app/ui/notice'
import type { FormResult } from '@/lib/portal/form-result'
import { autofillsPasskeys, PasskeyFault, promptForPasskey } from '@/lib/portal/passkey'
import { beginPasskeySignInAction, signInWithPasskeyAction } from './actions'

/** Asks for a passkey in the browser's own dialog. @throws PasskeyFault */
async function newAnswer(): Promise<string> {
  const begun = await beginPasskeySignInAction(undefined, new FormData())
  if (!begun?.ok || !begun.data) throw new PasskeyFault(begun?.ok === false ? begun.error : 'Try again.')
  return await promptForPasskey(begun.data)
}

/** Offers passkeys in the email field until one is chosen or `signal` aborts. @returns undefined when none is available */
async function offerPasskeys(signal: AbortSignal): Promise<string | undefined> {
  if (!(await autofillsPasskeys()) || signal.aborted) return undefined
  const begun = await beginPasskeySignInAction(undefined, new FormData())
  if (!begun?.ok || !begun.data || signal.aborted) return undefined
  // The user did not ask for it, so errors are not shown.
  return await promptForPasskey(begun.data, { mediation: 'conditional', signal }).catch(() => undefined)
}

/** Signs in with a passkey, by the button or through the email field's autofill. */
export function PasskeySignIn({ next }: { next: string }) {
  const offer = useRef<AbortController>(null)
  const [result, send, isBusy] = useActionState(
    async (_: FormResult, chosen: string | undefined): Promise<FormResult> => {
      try {
        const form = new FormData()
        form.set('answer', chosen ?? (await newAnswer()))
        form.set('next', next)
        return await signInWithPasskeyAction(undefined, form)
      } catch (thrown) {
        if (thrown instanceof PasskeyFault) return { ok: false, error: thrown.message }
        throw thrown
      }
    },
    undefined,
  )

  // Starts over after a refusal, because the challenge is used up. Only one request may be open at a time.
  useEffect(() => {
    if (isBusy) return
    const ending = new AbortController()
    offer.current = ending
    void offerPasskeys(ending.signal).then((chosen) => chosen && startTransition(() => send(chosen)))
    return () => ending.abort()
  }, [isBusy, send])

  function ask(): void {
    if (isBusy) return
    offer.current?.abort()
    startTransition(() => send(undefined))
  }

  return (
    <div className="mt-6 grid gap-4 border-t border-line pt-6 noscript:hidden">
      {result?.ok === false && (
        <Notice tone="danger" alert>
          <p>{result.error}</p>
          {result.requestId && <p className="font-mono text-sm">{result.requestId}</p>}
        </Notice>
      )}
      <Button className="w-full" aria-disabled={isBusy} onClick={ask}>
        Sign in with a passkey
      </Button>
      <p className="text-sm text-quiet">
        Your fingerprint, face or PIN instead of password and code. Add one under Account once you are signed in.
      </p>
    </div>
  )
}
