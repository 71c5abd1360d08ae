'use client'

import { type PageFault, WhyNotShown } from './page-fault'
import './globals.css'

/** A plain button's look, said here: every page loads this file beside its own. */
const LINK =
  'inline-flex min-h-control items-center rounded-md border border-edge px-3.5 py-1.5 text-md font-medium text-ink no-underline hover:border-ink hover:bg-sunken'

/**
 * Replaces the whole document when even its frame failed. Needs only the style sheet: no session, no database and no JavaScript,
 * because the button is a link to the same page. Uses the device's theme, because the reader's choice may be unknown.
 */
export default function GlobalError({ error }: { error: PageFault }) {
  return (
    <html lang="en">
      <head>
        <title>This page could not be shown</title>
      </head>
      <body>
        <main className="mx-auto max-w-xl px-5 py-16">
          <h1>This page could not be shown</h1>
          <p className="mt-3 text-quiet">
            <WhyNotShown of={error} when=", before the page was rendered" />
          </p>
          <div className="mt-5 flex flex-wrap gap-2">
            {/* biome-ignore lint/a11y/useValidAnchor: an empty address is this very page with its query (RFC 3986, 4.4). */}
            <a href="" className={LINK}>
              Try again
            </a>
            <a href="/" className={LINK}>
              Start page
            </a>
          </div>
        </main>
      </body>
    </html>
  )
}
