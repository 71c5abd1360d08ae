'use client'

import { useActionState } from 'react'
import { Button } from '@/app/ui/button'
import { signOutAction } from '../sign-in/actions'

/** Signs out; for browsers without script, where the account menu does not open. Small, because every page brings what may refuse it. */
export function SignOut() {
  const [result, action] = useActionState(signOutAction, undefined)
  return (
    <form action={action} className="grid justify-items-start gap-2">
      <Button type="submit">Sign out</Button>
      {result?.ok === false && (
        <p role="alert" className="text-sm text-danger">
          {result.error}
        </p>
      )}
    </form>
  )
}
