'use client'

import { startTransition } from 'react'
import type { Command } from '@/lib/portal/commands'
import type { FormResult } from '@/lib/portal/form-result'
import { toast } from '@/lib/portal/toasts'
import { attempt } from '../ui/attempt.client'
import { switchContractorAction } from './account/actions'
import { signOutAction } from './sign-in/actions'

type Action = (before: FormResult, form: FormData) => Promise<FormResult>

/** Sends what a menu or the palette does. What is wrong is said in a toast, because there is no form to say it at. */
const sendNow = (action: Action, form: FormData): void =>
  startTransition(async () => {
    const result = await attempt(() => action(undefined, form))
    if (result?.ok === false) toast(result.error, 'bad')
  })

/** Ends the session. */
export const signOut = () => sendNow(signOutAction, new FormData())

/** Looks at another contractor, on this page as far as it has it. */
export function switchTo(contractorId: string): void {
  const form = new FormData()
  form.set('contractorId', contractorId)
  form.set('next', location.pathname + location.search)
  sendNow(switchContractorAction, form)
}

/** Does what the palette asks of the server. */
export function run(command: Command): void {
  if (command.act === 'switch') switchTo(command.contractorId)
  else if (command.act === 'sign-out') signOut()
}
