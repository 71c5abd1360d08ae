'use client'

import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from './button'
import { classes } from './classes'
import { Icon } from './glyph'

/** The first field of a form; among radio buttons, the selected one. */
const FIRST_FIELD = 'form :is(input:not([type=hidden], [tabindex="-1"], [type=radio]:not(:checked)), select, textarea)'

export type DialogWindowProps = {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  wide?: boolean
  /** True when only its content closes it: no Escape, no click outside, no ✕. For content that cannot be shown again. */
  stays?: boolean
  children: ReactNode
}

/** Reports whether a field holds what would be missed: a password is known, and typed again as quickly. */
const isMissed = (field: Element) =>
  field.isConnected && 'value' in field && field.value !== '' && field.getAttribute('type') !== 'password'

/**
 * The fields that somebody has filled in. A field that was emptied again, or whose form is gone because it was sent, holds nothing that
 * could be lost.
 */
function useEntered() {
  const touched = useRef(new Set<Element>())
  return {
    note: ({ target }: FormEvent) => target instanceof Element && touched.current.add(target),
    isAny: () => [...touched.current].some(isMissed),
    forget: () => touched.current.clear(),
  }
}

/** The dialog itself, loaded when the first one opens; see `Dialog`. */
export function DialogWindow({ title, isOpen, onClose, wide = false, stays = false, children }: DialogWindowProps) {
  const popup = useRef<HTMLDivElement>(null)
  const entered = useEntered()
  const [isAsking, setAsking] = useState(false)

  function drop(): void {
    entered.forget()
    setAsking(false)
    onClose()
  }
  /** Closes, or asks first where something was typed. While it asks, Escape goes back to the form. */
  function leave(): void {
    if (stays) return
    if (isAsking) setAsking(false)
    else if (entered.isAny()) setAsking(true)
    else drop()
  }

  return (
    <Dialog.Root open={isOpen} onOpenChange={(opens) => !opens && leave()} disablePointerDismissal={stays}>
      <Dialog.Portal>
        <Dialog.Backdrop data-backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Viewport className="fixed inset-0 z-40 grid overflow-y-auto overscroll-contain p-4">
          <Dialog.Popup
            ref={popup}
            onInput={entered.note}
            onReset={entered.forget}
            // Focusing a field would open the on-screen keyboard when the dialog was opened by touch.
            initialFocus={(how) => how === 'touch' || popup.current?.querySelector<HTMLElement>(FIRST_FIELD) || true}
            className={classes(
              'm-auto w-full min-w-0 rounded-xl border border-line bg-raised p-5 shadow-2xl outline-none',
              wide ? 'max-w-3xl' : 'max-w-lg',
            )}
          >
            <div className="mb-3 flex items-start justify-between gap-4">
              <Dialog.Title>{title}</Dialog.Title>
              {!stays && (
                <Button look="bare" size="small" aria-label="Close" onClick={leave} className="-mt-0.5 -me-2">
                  <Icon of={X} />
                </Button>
              )}
            </div>
            <div inert={isAsking}>{children}</div>
            {isAsking && <DropQuestion onKeep={() => setAsking(false)} onDrop={drop} />}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Asks whether what was typed may be lost; stays in view at the end of the dialog, and has the focus. */
function DropQuestion({ onKeep, onDrop }: { onKeep: () => void; onDrop: () => void }) {
  return (
    <div
      role="alert"
      className="sticky -bottom-4 -mx-5 mt-4 -mb-5 flex flex-wrap items-center justify-between gap-3 rounded-b-xl border-t border-line bg-raised px-5 py-4"
    >
      <p className="font-medium">Discard what you typed?</p>
      <div className="flex gap-2">
        <Button autoFocus look="main" onClick={onKeep}>
          Keep editing
        </Button>
        <Button look="danger" onClick={onDrop}>
          Discard
        </Button>
      </div>
    </div>
  )
}
