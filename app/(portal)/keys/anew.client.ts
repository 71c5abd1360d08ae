'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'

/**
 * What shows the list anew after a change. A row may go with it, and the button that had the focus: the focus is then put at the
 * beginning of the page's content instead of being lost.
 */
export function useAnew(): () => void {
  const router = useRouter()
  const isChanged = useRef(false)
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body
      if (isChanged.current && isLost) document.getElementById('content')?.focus()
    },
    [],
  )
  return () => {
    isChanged.current = true
    router.refresh()
  }
}
