'use client'

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="page">
      <h1>This page could not be shown</h1>
      <p>Something went wrong on our side; nothing was lost. {error.digest ? `Reference: ${error.digest}.` : ''}</p>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </main>
  )
}
