'use client'

import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './button'
import { classes } from './classes'

/** The first field of a form; among radio buttons, the selected one. */
const FIRST_FIELD = 'form :is(input:not([type=hidden], [type=radio]:not(:checked)), select, textarea)'

export type DialogWindowProps = {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  wide?: boolean
  /** Whether only its content closes it: no Escape, no click outside, no ✕. For content that cannot be shown again. */
  stays?: boolean
  children: ReactNode
}

/** The dialog itself, loaded when the first one opens; see `Dialog`. */
export function DialogWindow({ title, isOpen, onClose, wide = false, stays = false, children }: DialogWindowProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(opens) => !opens && !stays && onClose()} disablePointerDismissal={stays}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Viewport className="fixed inset-0 z-40 grid overflow-y-auto overscroll-contain p-4">
          <Dialog.Popup
            ref={popup}
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
                <Button look="bare" size="small" aria-label="Close" onClick={onClose} className="-mt-0.5 -me-2">
                  ✕
                </Button>
              )}
            </div>
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
