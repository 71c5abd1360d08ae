import { CircleCheck, TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import { LinkButton } from './button'
import { Card } from './card'
import { Icon } from './glyph'

/** One thing that waits for a person: what it is, its details, and the button that leads to what can be done. */
export type Waiting = {
  id: string
  title: ReactNode
  /** Single things of it, each with its page. */
  items: { title: string; href: string; when?: ReactNode }[]
  note?: ReactNode
  action?: { text: string; href: string } | undefined
}

/** One list of all that waits for a person, the most urgent first, each with its button. */
export function NeedsYou({ waiting }: { waiting: readonly Waiting[] }) {
  return (
    <Card title="Needs you">
      {waiting.length === 0 ? (
        <p className="flex items-center gap-2 text-quiet">
          <Icon of={CircleCheck} /> Nothing waits for you.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {waiting.map(({ id, title, items, note, action }) => (
            <li key={id} className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
              <span className="mt-0.5 text-warn">
                <Icon of={TriangleAlert} />
              </span>
              <div className="min-w-0">
                <p className="font-medium wrap-anywhere">{title}</p>
                {note && <p className="text-sm text-quiet wrap-anywhere">{note}</p>}
                {items.length > 0 && (
                  <ul className="mt-1 grid gap-1 text-sm">
                    {items.map((item) => (
                      <li key={`${item.href} ${item.title}`} className="flex flex-wrap items-baseline gap-x-2">
                        <a href={item.href} className="min-w-0 wrap-anywhere">
                          {item.title}
                        </a>
                        {item.when && <span className="text-quiet">{item.when}</span>}
                      </li>
                    ))}
                  </ul>
                )}
              </div>
              {action && (
                <LinkButton size="small" href={action.href} className="self-start">
                  {action.text}
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
