'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Notice } from '@/app/ui/notice'

type Props = {
  /** The project the delivery became in the end, by its name; undefined while it has none. */
  recovered: { href: string; name: string } | undefined
  /** The way to get there, shown until then. */
  children: ReactNode
}

/** The fixer until its delivery is recovered, then what became of it; takes the focus at that moment, as the form that had it is gone. */
export function UntilRecovered({ recovered, children }: Props) {
  const link = useRef<HTMLAnchorElement>(null)
  const was = useRef(recovered !== undefined)
  useEffect(() => {
    if (recovered && !was.current) link.current?.focus()
    was.current = recovered !== undefined
  }, [recovered])
  if (!recovered) return children
  return (
    <Notice tone="good" title="Recovered.">
      <p>
        The lead was refused when it came, and replayed since:{' '}
        <a ref={link} href={recovered.href}>
          Recovered as {recovered.name}
        </a>
      </p>
    </Notice>
  )
}
