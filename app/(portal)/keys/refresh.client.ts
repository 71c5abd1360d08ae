'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'

/**
 * Returns a function that reloads the list after a change. If the row with the focused button goes away, the focus moves to the start
 * of the page's content instead of being lost.
 */
export function useRefresh(): () => void {
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
