'use client'

import { useEffect, useState } from 'react'
import { CopyIcon, DoneIcon } from './icons'

/** `inv_01k9zq2v6n8m4t5c3b7x1w0jd2` as `inv_…1w0jd2`: what people compare of it. */
const short = (id: string): string => (id.length <= 16 ? id : `${/^[a-z]+_/.exec(id)?.[0] ?? ''}…${id.slice(-6)}`)

/** An id, shortened, with a button that copies the whole of it. `href` is where what it names has its page. */
export function Id({ id, href }: { id: string; href?: string }) {
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
      {href ? <a href={href}>{short(id)}</a> : short(id)}
      <button
        type="button"
        aria-label={`Copy ${id}`}
        onClick={copy}
        className="grid size-6 place-items-center rounded-sm text-quiet hover:bg-sunken hover:text-ink noscript:hidden"
      >
        {isCopied ? <DoneIcon /> : <CopyIcon />}
      </button>
      <span role="status" className="sr-only">
        {isCopied && 'Copied.'}
      </span>
    </span>
  )
}
