'use client'

import { type Action, ActionForm } from './action-form.client'
import type { ButtonLook } from './button'

type Props<T> = {
  action: Action<T>
  submit: string
  look: ButtonLook
  values: Record<string, string>
  /** Follows the label for those who hear the button without its row. */
  what: string
}

/** A small button of a row, which makes a change at once. */
export function RowAction<T>({ what, ...form }: Props<T>) {
  return (
    <ActionForm {...form} size="small" className="inline">
      {() => <span className="sr-only">{what}</span>}
    </ActionForm>
  )
}
