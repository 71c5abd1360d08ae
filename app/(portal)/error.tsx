'use client'

import { Button } from '../ui/button'

/** Shown inside the frame when a page fails. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="max-w-xl py-8">
      <h1>This page could not be shown</h1>
      <p className="mt-3 text-quiet">
        Something went wrong on our side. Try again; if it persists, tell the operator
        {error.digest ? (
          <>
            {' '}
            the reference <code className="font-mono text-ink">{error.digest}</code>.
          </>
        ) : (
          ' what you did last.'
        )}
      </p>
      <Button look="main" className="mt-5" onClick={reset}>
        Try again
      </Button>
    </div>
  )
}
