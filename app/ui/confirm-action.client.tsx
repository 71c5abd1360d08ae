'use client'

import type { ReactNode } from 'react'
import { type Action, ActionForm } from './action-form.client'
import { buttonClasses } from './button'
import { DialogButton } from './dialog.client'

type Props<T> = {
  action: Action<T>
  /** The label of the button that asks, and of the one that does it. */
  label: string
  submit?: string
  size?: 'normal' | 'small'
  values: Record<string, string>
  /** Follows the label for those who hear the button without its row. */
  what?: string
  /** The question, and what happens. */
  title: string
  text: ReactNode
  /** Replaces the form once it is done. */
  instead?: (data: T | undefined, message: string | undefined) => ReactNode
  children?: Parameters<typeof ActionForm<T>>[0]['children']
}

/** A button for what cannot simply be undone: it says what happens and asks first. Without script the question unfolds below it. */
export function ConfirmAction<T>({
  label,
  submit = label,
  size,
  what,
  title,
  text,
  instead,
  children,
  ...form
}: Props<T>) {
  const named = (
    <>
      {label}
      {what && <span className="sr-only"> {what}</span>}
    </>
  )
  const asks = (onDone?: () => void) => (
    <div className="grid gap-4">
      <p>{text}</p>
      <ActionForm
        {...form}
        submit={submit}
        look="danger"
        {...(onDone && !instead && { onDone })}
        {...(instead && { instead })}
        {...(children && { children })}
      />
    </div>
  )
  return (
    <>
      <span className="contents noscript:hidden">
        <DialogButton label={named} look="danger" {...(size && { size })} title={title}>
          {asks}
        </DialogButton>
      </span>
      <noscript>
        <details>
          <summary className={buttonClasses({ look: 'danger', ...(size && { size }) })}>{named}</summary>
          {asks()}
        </details>
      </noscript>
    </>
  )
}
