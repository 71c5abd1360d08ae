import type * as z from 'zod'
import { Time } from '@/app/session/time'
import type { getMemberSetup } from '@/lib/operations/team/member-setup'

type Item = { id: string; href: string; name: string; about: React.ReactNode }

function Items({ title, items }: { title: string; items: Item[] }) {
  if (items.length === 0) return null
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      <ul className="grid gap-1">
        {items.map(({ id, href, name, about }) => (
          <li key={id} className="wrap-anywhere">
            <a href={href} className="underline">
              {name}
            </a>{' '}
            <span className="text-sm text-quiet">{about}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The keys, webhooks, sources and books that a member set up. */
export function MemberSetup({ keys, webhooks, sources, books }: z.output<(typeof getMemberSetup)['output']>) {
  if (keys.length + webhooks.length + sources.length + books.length === 0)
    return <p className="text-quiet">Nothing that still works.</p>
  return (
    <div className="grid gap-3">
      <Items
        title="Keys"
        items={keys.map(({ id, name, masked, expiresAt }) => ({
          id,
          href: '/keys',
          name,
          about: (
            <>
              <span className="font-mono">{masked}</span>,{' '}
              {expiresAt ? (
                <>
                  expires <Time at={expiresAt} />
                </>
              ) : (
                'never expires'
              )}
            </>
          ),
        }))}
      />
      <Items
        title="Webhooks"
        items={webhooks.map(({ id, host }) => ({ id, href: `/outgoing/${id}`, name: host, about: '' }))}
      />
      <Items
        title="Sources"
        items={sources.map(({ id, name }) => ({ id, href: `/data/sources/${id}`, name, about: '' }))}
      />
      <Items
        title="Connected books"
        items={books.map(({ title, company }) => ({
          id: title,
          href: '/data/quickbooks',
          name: title,
          about: `${company ?? ''} Stays connected; disconnect it on its own page.`.trim(),
        }))}
      />
    </div>
  )
}
