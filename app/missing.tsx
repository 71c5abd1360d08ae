import { currentSession } from './session/actor'
import { LinkButton } from './ui/button'

/** What stands where no page is: for a visitor the developer pages; for someone signed in, whose data they look at, as the page may be another's. */
export async function Missing() {
  const { memberships = [], current } = (await currentSession()) ?? {}
  return (
    <div className="max-w-xl py-8">
      <h1>Page not found</h1>
      <p className="mt-3 text-quiet">
        The URL may be mistyped, or what it showed is gone.
        {current && memberships.length > 1 && (
          <>
            {' '}
            You are looking at <strong className="text-ink">{current.name}</strong>. If the page belongs to another of
            your contractors, switch to it at the top and open the link again.
          </>
        )}
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        <LinkButton look="main" href="/">
          Go to the start page
        </LinkButton>
        {current && <LinkButton href="/data">Data</LinkButton>}
        <LinkButton href="/developers/guides">Guides</LinkButton>
        {!current && <LinkButton href="/developers/api">API explorer</LinkButton>}
      </div>
    </div>
  )
}
