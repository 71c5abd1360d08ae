import type { Metadata } from 'next'
import { LinkButton } from './ui/button'
import { Shell } from './ui/shell'

export const metadata: Metadata = { title: 'No such page' }

export default function NotFound() {
  return (
    <Shell>
      <div className="max-w-xl py-8">
        <h1>Page not found</h1>
        <p className="mt-3 text-quiet">
          The URL may be mistyped, or the page may have moved. <a href="/">Go to the start page</a>, or see the
          developer pages.
        </p>
        <div className="mt-5 flex flex-wrap gap-2">
          <LinkButton href="/developers/guides">Guides</LinkButton>
          <LinkButton href="/developers/api">API explorer</LinkButton>
        </div>
      </div>
    </Shell>
  )
}
