'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Notice } from '@/app/ui/notice'

type Props = {
  /** The name of the project that a replay created; undefined while there is none. */
  recovered: { href: string; name: string } | undefined
  /** The form to fix the delivery, shown until then. */
  children: ReactNode
}

/** Shows the form until the delivery is recovered, then the result, which takes the focus because the form is gone. */
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
