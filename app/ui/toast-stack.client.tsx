'use client'

import { Toast } from '@base-ui/react/toast'
import { useEffect, useRef, useState } from 'react'
import type { Toast as Said } from '@/lib/portal/toasts'
import { buttonClasses } from './button'
import { classes } from './classes'

export type ToastStackProps = {
  /** The messages on this page, in order. */
  said: Said[]
}

/** The time a success message stays; an error stays until it is closed. */
const STAYS_MS = 6_000

/** Corrects the library: a toast is not a dialog, and its button is visible to screen readers even without focus. */
const PLAIN = { role: 'group', 'aria-modal': undefined }
const SHOWN = { 'aria-hidden': undefined }

/** The toasts themselves, loaded with the first one; see `Toasts`. */
export function ToastStack({ said }: ToastStackProps) {
  const [manager] = useState(() => Toast.createToastManager())
  const shown = useRef(0)
  useEffect(() => {
    for (const { text, tone } of said.slice(shown.current))
      manager.add({ title: text, type: tone ?? 'good', timeout: tone === 'danger' ? 0 : STAYS_MS })
    shown.current = said.length
  }, [said, manager])
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label="Messages"
          className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-center gap-2 sm:start-auto sm:justify-items-end"
        >
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      {...PLAIN}
      className={classes(
        'pointer-events-auto flex max-w-sm items-center gap-3 rounded-lg border border-s-4 bg-raised py-2 ps-4 pe-2 shadow-lg data-limited:hidden',
        toast.type === 'danger' ? 'border-danger' : 'border-good',
      )}
    >
      <Toast.Title render={<p />} className="font-normal" />
      <Toast.Close aria-label="Close message" {...SHOWN} className={buttonClasses({ look: 'bare', size: 'small' })}>
        ✕
      </Toast.Close>
    </Toast.Root>
  ))
}
