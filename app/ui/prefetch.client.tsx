'use client'

import { useEffect } from 'react'
import { prefetchOnHover } from '@/lib/portal/prefetch'

/** Has the pages behind links fetched as a pointer rests on them. Shows nothing. */
export function Prefetch() {
  useEffect(() => prefetchOnHover(), [])
  return null
}
