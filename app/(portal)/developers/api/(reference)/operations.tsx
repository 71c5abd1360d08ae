import { classes } from '@/app/ui/classes'
import type { ReferenceGroup } from '@/lib/http/openapi/reference'

/** Returns the path of an operation's page. */
export const operationPath = (id: string): string => `/developers/api/${id}`

const METHODS: Record<string, string> = { GET: 'text-good', POST: 'text-focus' }

/** Shows an HTTP method in its color. */
export function Method({ method }: { method: string }) {
  return <span className={classes('font-mono text-xs font-semibold', METHODS[method])}>{method}</span>
}

/** Lists the operations in groups and marks the current one. */
export function Operations({ groups, current }: { groups: ReferenceGroup[]; current: string }) {
  return groups.map(({ name, operations }) => (
    <div key={name} className="mb-4">
      <p className="px-2 pb-1 text-sm text-quiet first-letter:uppercase">{name}</p>
      <ul>
        {operations.map(({ id, title, method }) => (
          <li key={id}>
            <a
              href={operationPath(id)}
              {...(id === current && { 'aria-current': 'page' as const })}
              className="flex items-baseline justify-between gap-2 rounded-md px-2 py-1 text-md text-quiet no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {title} <Method method={method} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  ))
}
