'use client'

import { Check, Copy } from 'lucide'
import { useEffect, useState } from 'react'
import { Icon } from './glyph'

/** Shortens `inv_01k9zq2v6n8m4t5c3b7x1w0jd2` to `inv_…1w0jd2`, the part that people compare. */
const short = (id: string): string => (id.length <= 16 ? id : `${/^[a-z]+_/.exec(id)?.[0] ?? ''}…${id.slice(-6)}`)

/**
 * A shortened id, with a button that copies the full one. `href` is the page of its record. `isBrief` leaves the button alone where a table
 * shows columns.
 */
export function Id({ id, href, isBrief = false }: { id: string; href?: string; isBrief?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    navigator.clipboard.writeText(id).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <span className="inline-flex items-center gap-1 font-mono text-sm whitespace-nowrap" title={id}>
      <span className={isBrief ? 'sm:hidden noscript:inline' : undefined}>
        {href ? <a href={href}>{short(id)}</a> : short(id)}
      </span>
      <button
        type="button"
        aria-label={`Copy ${id}`}
        onClick={copy}
        className="grid size-6 place-items-center rounded-sm text-quiet hover:bg-sunken hover:text-ink noscript:hidden"
      >
        <Icon of={isCopied ? Check : Copy} size={14} />
      </button>
      <span role="status" className="sr-only">
        {isCopied && 'Copied.'}
      </span>
    </span>
  )
}
