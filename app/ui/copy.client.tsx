'use client'

import { useEffect, useState } from 'react'
import { Button } from './button'

/**
 * Copies a text and confirms it; where the browser forbids it, says what to do instead. `of` gives each of several buttons its own
 * accessible name.
 */
export function CopyButton({ text, label = 'Copy', of }: { text: string; label?: string; of?: string }) {
  const [done, setDone] = useState('')
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(''), 4000)
    return () => clearTimeout(timer)
  }, [done])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone('Copied.'),
      () => setDone('The browser does not allow copying. Select the text and copy it.'),
    )
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 noscript:hidden">
      <Button size="small" onClick={copy}>
        {label}
        {of && <span className="sr-only">: {of}</span>}
      </Button>
      <span role="status" className="text-sm text-quiet">
        {done}
      </span>
    </span>
  )
}
