'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { type PageFault, WhyNotShown } from '../page-fault'
import { Button } from '../ui/button'

/** The page shown inside the frame when a page fails. */
export default function PageError({ error, reset }: { error: PageFault; reset: () => void }) {
  const router = useRouter()
  // What was thrown on the server comes back with every rendering until the page is read again.
  const readAgain = () =>
    startTransition(() => {
      router.refresh()
      reset()
    })
  return (
    <div className="max-w-xl py-8">
      <h1>This page could not be shown</h1>
      <p className="mt-3 text-quiet">
        <WhyNotShown of={error} />
      </p>
      <Button look="main" className="mt-5" onClick={readAgain}>
        Try again
      </Button>
    </div>
  )
}
