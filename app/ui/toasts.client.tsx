'use client'

import { useEffect, useState } from 'react'
import { onToast, type Toast } from '@/lib/portal/toasts'
import { OnDemand, part } from './on-demand.client'
import type { ToastStackProps } from './toast-stack.client'

const STACK = part<ToastStackProps>(async () => (await import('./toast-stack.client')).ToastStack)

/** The toast area: one polite live region per page. Toasts never take the focus; F6 moves to them. */
export function Toasts() {
  const [said, setSaid] = useState<Toast[]>([])
  useEffect(() => onToast((toast) => setSaid((before) => [...before, toast])), [])
  return <OnDemand of={STACK} isWanted={said.length > 0} props={{ said }} />
}
