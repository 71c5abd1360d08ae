'use client'

import { startTransition } from 'react'
import type { FormResult } from '@/lib/portal/form-result'
import type { Command } from '@/lib/portal/palette'
import { toast } from '@/lib/portal/toasts'
import { attempt } from '../ui/attempt.client'
import { switchContractorAction } from './account/actions'
import { signOutAction } from './sign-in/actions'

type Action = (before: FormResult, form: FormData) => Promise<FormResult>

/** Runs an action from a menu or the palette. Errors are shown as a toast, because there is no form to show them in. */
const sendNow = (action: Action, form: FormData): void =>
  startTransition(async () => {
    const result = await attempt(() => action(undefined, form))
    if (result?.ok === false) toast(result.error, 'danger')
  })

/** Ends the session. */
export const signOut = () => sendNow(signOutAction, new FormData())

/** Switches to another contractor, and stays on this page if that contractor has it. */
export function switchTo(contractorId: string): void {
  const form = new FormData()
  form.set('contractorId', contractorId)
  form.set('next', location.pathname + location.search)
  sendNow(switchContractorAction, form)
}

/** Runs a palette command that needs the server. */
export function run(command: Command): void {
  if (command.act === 'switch') switchTo(command.contractorId)
  else if (command.act === 'sign-out') signOut()
}
