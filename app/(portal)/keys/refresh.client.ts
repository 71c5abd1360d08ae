'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'

/**
 * Returns a function that reloads the list after a change, and whether it is loading. What `together` changes is shown with the new list,
 * in one step: a dialog that closes so never uncovers rows that are about to be replaced. If the row with the focused button goes away,
 * the focus moves to the start of the page's content instead of being lost.
 */
export function useRefresh(): [(together?: () => void) => void, boolean] {
  const router = useRouter()
  const [isLoading, start] = useTransition()
  const isChanged = useRef(false)
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body
      if (isChanged.current && isLost) document.getElementById('content')?.focus()
    },
    [],
  )
  const refresh = (together?: () => void) => {
    isChanged.current = true
    start(() => {
      router.refresh()
      together?.()
    })
  }
  return [refresh, isLoading]
}
