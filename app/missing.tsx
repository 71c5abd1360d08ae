import { currentSession } from './session/actor'
import { LinkButton } from './ui/button'

/** The page shown when a page does not exist. A signed-in user also sees the current contractor, because the page may belong to another one. */
export async function Missing() {
  const { memberships = [], current } = (await currentSession()) ?? {}
  return (
    <div className="max-w-xl py-8">
      <h1>Page not found</h1>
      <p className="mt-3 text-quiet">
        The URL may be mistyped, or the page no longer exists.
        {current && memberships.length > 1 && (
          <>
            {' '}
            The current contractor is <strong className="text-ink">{current.name}</strong>. If the page belongs to
            another of your contractors, switch to it at the top and open the link again.
          </>
        )}
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        <LinkButton look="main" href="/">
          Go to the start page
        </LinkButton>
        {current && <LinkButton href="/customers">Customers</LinkButton>}
        <LinkButton href="/developers/guides">Guides</LinkButton>
        {!current && <LinkButton href="/developers/api">API explorer</LinkButton>}
      </div>
    </div>
  )
}
