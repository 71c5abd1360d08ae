'use client'

import { useEffect, useRef, useState } from 'react'
import { onToast, type Toast } from '@/lib/portal/toasts'
import { Button } from './button'
import { classes } from './classes'

type Shown = Toast & { id: number }

/** How long a good word stays; a bad one stays until it is closed. */
const STAYS_MS = 6_000

/** Where toasts appear: one polite live region, once on each page. They never take the focus. */
export function Toasts() {
  const [shown, setShown] = useState<Shown[]>([])
  const nextId = useRef(1)
  const close = (id: number) => setShown((before) => before.filter((toast) => toast.id !== id))

  useEffect(
    () =>
      onToast((toast) => {
        const id = nextId.current++
        setShown((before) => [...before.slice(-3), { ...toast, id }])
        if (toast.tone !== 'bad')
          setTimeout(() => setShown((before) => before.filter((one) => one.id !== id)), STAYS_MS)
      }),
    [],
  )

  return (
    <div
      role="status"
      aria-label="Messages"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 grid justify-items-center gap-2 sm:start-auto sm:justify-items-end"
    >
      {shown.map(({ id, text, tone }) => (
        <div
          key={id}
          className={classes(
            'pointer-events-auto flex max-w-sm items-center gap-3 rounded-lg border border-s-4 bg-raised py-2 ps-4 pe-2 shadow-lg',
            tone === 'bad' ? 'border-bad' : 'border-good',
          )}
        >
          <p>{text}</p>
          <Button look="bare" size="small" aria-label="Close message" onClick={() => close(id)}>
            ✕
          </Button>
        </div>
      ))}
    </div>
  )
}
