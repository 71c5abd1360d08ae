'use client'

import { type PageFault, WhyNotShown } from './page-fault'
import { buttonClasses } from './ui/button'
import './globals.css'

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
