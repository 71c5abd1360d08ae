'use client'

import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, type ButtonLook } from './button'
import { classes } from './classes'

/** Of several to choose from it is the chosen one. */
const FIRST_FIELD = 'form :is(input:not([type=hidden], [type=radio]:not(:checked)), select, textarea)'

type Props = {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  wide?: boolean
  /** Whether a click beside it leaves it open: where closing loses what cannot be shown again. */
  stays?: boolean
  children: ReactNode
}

/**
 * A modal dialog: the browser's own, which keeps the focus inside, closes by Escape and gives the focus back. A click beside it
 * closes it too. What it holds exists only while it is open; the first field of a form in it has the focus.
 */
export function Dialog({ title, isOpen, onClose, wide = false, stays = false, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget>(null)
  const id = useId()

  useEffect(() => {
    if (!isOpen) return element.current?.close()
    element.current?.showModal()
    element.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
  }, [isOpen])

  // The dialog itself is hit only beside its content, which fills it; not where a press began inside, as when text is selected.
  const closeBeside = ({ target }: MouseEvent) =>
    !stays && target === element.current && pressed.current === target && onClose()

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes by keyboard.
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      onClick={closeBeside}
      className={classes(
        'm-auto w-[calc(100vw-2rem)] rounded-xl border border-line bg-raised p-0 shadow-2xl',
        wide ? 'max-w-3xl' : 'max-w-lg',
      )}
    >
      {isOpen && (
        <div className="p-5">
          <div className="mb-3 flex items-start justify-between gap-4">
            <h2 id={id}>{title}</h2>
            <Button look="bare" size="small" aria-label="Close" onClick={onClose} className="-mt-0.5 -me-2">
              ✕
            </Button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}

type ButtonProps = {
  label: ReactNode
  look?: ButtonLook
  size?: 'normal' | 'small'
  title: ReactNode
  wide?: boolean
  /** The content; a function gets what closes the dialog (client components only). */
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** A button with the dialog it opens. */
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
