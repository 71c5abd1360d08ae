'use client'

import { useEffect } from 'react'
import { prefetchOnHover } from '@/lib/portal/prefetch'

/** Prefetches the page of a link that the pointer rests on. Renders nothing. */
export function Prefetch() {
  useEffect(() => prefetchOnHover(), [])
  return null
}
