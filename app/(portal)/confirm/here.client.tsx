'use client'

import { useEffect } from 'react'
import type { Proving } from '@/lib/portal/form-result'
import { CONFIRMED, donePage } from './done'
import { ConfirmForm } from './form.client'

/** The form on its own page. */
export const ConfirmHere = ({ ways, next }: { ways: Proving; next: string }) => (
  <ConfirmForm ways={ways} next={next} onDone={() => location.assign(donePage(next))} />
)

/** Tells the other tabs of this browser, where a form waits. */
export function Tell() {
  useEffect(() => {
    const channel = new BroadcastChannel(CONFIRMED)
    channel.postMessage('')
    channel.close()
  }, [])
  return null
}
