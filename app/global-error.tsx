'use client'

import { buttonClasses } from './ui/button'
import './globals.css'

/**
 * Replaces the whole document when even its frame failed. Needs only the style sheet: no session, no database and no JavaScript,
 * because the button is a link to the same page. Uses the device's theme, because the reader's choice may be unknown.
 */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <head>
        <title>This page could not be shown</title>
      </head>
      <body>
        <main className="mx-auto max-w-xl px-5 py-16">
          <h1>This page could not be shown</h1>
          <p className="mt-3 text-quiet">
            Something went wrong on our side, before the page was rendered. Try again in a minute; if it persists, tell
            the operator of this service
            {error.digest ? (
              <>
                {' '}
                the reference <code className="font-mono text-ink">{error.digest}</code>.
              </>
            ) : (
              ' what you did last.'
            )}
          </p>
          <div className="mt-5 flex flex-wrap gap-2">
            {/* biome-ignore lint/a11y/useValidAnchor: an empty address is this very page with its query (RFC 3986, 4.4). */}
            <a href="" className={buttonClasses({ look: 'main' })}>
              Try again
            </a>
            <a href="/" className={buttonClasses()}>
              Start page
            </a>
          </div>
        </main>
      </body>
    </html>
  )
}
