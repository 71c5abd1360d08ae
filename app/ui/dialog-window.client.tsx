'use client'

import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './button'
import { classes } from './classes'

/** Of several to choose from it is the chosen one. */
const FIRST_FIELD = 'form :is(input:not([type=hidden], [type=radio]:not(:checked)), select, textarea)'

export type DialogWindowProps = {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  wide?: boolean
  /** Whether only what it holds closes it: no Escape, no click beside it, no ✕. For what cannot be shown again. */
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
            // A field would open the keyboard of who opened it by touch.
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
