'use client'

import { type ReactNode, useState } from 'react'
import { Button, type ButtonLook } from './button'
import type { DialogWindowProps } from './dialog-window.client'
import { OnDemand, part } from './on-demand.client'

const WINDOW = part<DialogWindowProps>(async () => (await import('./dialog-window.client')).DialogWindow)

/**
 * A modal dialog. It keeps the focus inside, closes with Escape, its button or a click outside, and then returns the focus. Its content
 * exists only while it is open; the first field of a form in it gets the focus.
 */
export const Dialog = (props: DialogWindowProps) => <OnDemand of={WINDOW} isWanted={props.isOpen} props={props} />

type ButtonProps = {
  label: ReactNode
  look?: ButtonLook
  size?: 'normal' | 'small'
  title: ReactNode
  wide?: boolean
  /** The content, or a function of `close` (client components only). */
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** A button that opens a dialog. */
export function DialogButton({ label, look, size, title, wide, children }: ButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button {...(look && { look })} {...(size && { size })} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close} {...(wide && { wide })}>
        {typeof children === 'function' ? children(close) : children}
      </Dialog>
    </>
  )
}
