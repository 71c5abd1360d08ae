'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Badge } from '@/app/ui/badge'
import type { ListedTool } from '@/lib/portal/connection'
import { pretty, visible } from '@/lib/portal/json'
import { Code } from './code.client'

/** A badge: whether a tool reads or writes, in words and color. */
function Effect({ hints }: Pick<ListedTool, 'hints'>) {
  return <Badge tone={hints.readOnly ? 'good' : 'active'}>{hints.readOnly ? 'read-only' : 'write'}</Badge>
}

type ListProps = { tools: ListedTool[]; chosen: string | undefined; onChoose(name: string): void }

/** The tools that this key may call. */
export function ToolList({ tools, chosen, onChoose }: ListProps) {
  return (
    <ul className="max-h-72 divide-y divide-line self-start overflow-y-auto rounded-lg border border-line bg-raised md:sticky md:top-4 md:max-h-[calc(100svh-2rem)]">
      {tools.map(({ name, title, hints }) => (
        <li key={name}>
          <button
            type="button"
            aria-current={name === chosen}
            onClick={() => onChoose(name)}
            className="grid w-full grid-cols-[1fr_auto] items-center gap-x-2 border-s-4 border-transparent px-4 py-2 text-start -outline-offset-2 hover:bg-sunken aria-[current=true]:border-focus aria-[current=true]:bg-sunken"
          >
            <span className="col-span-full font-mono text-md font-semibold wrap-anywhere">{name}</span>
            <span className="text-sm text-quiet">{visible(title)}</span>
            <Effect hints={hints} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Returns the hints that clients act on, as sentences. */
const hintsOf = ({ readOnly, destructive, idempotent, openWorld }: ListedTool['hints']) => [
  readOnly ? 'Changes nothing' : destructive ? 'May change or remove data' : 'Adds, never removes',
  idempotent ? 'repeating a call has no further effect' : 'repeating a call may repeat the effect',
  openWorld ? 'may reach other systems' : 'stays within this service',
]

/** A tool: its description, hints and schemas, followed by the form and the result. */
export function Tool({ tool, children }: { tool: ListedTool; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  // Moves focus here after a choice in the list, which on narrow windows is above.
  useEffect(() => title.current?.focus(), [])
  return (
    <article aria-labelledby="tool-title" className="grid gap-3 *:min-w-0">
      <h3 id="tool-title" ref={title} tabIndex={-1} className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono wrap-anywhere">{tool.name}</span> <Effect hints={tool.hints} />
      </h3>
      <p className="max-w-2xl">{visible(tool.description)}</p>
      <p className="text-quiet">{hintsOf(tool.hints).join('; ')}.</p>
      <details>
        <summary className="mb-2 w-fit">Input schema</summary>
        <Code label="Input schema" text={pretty(tool.inputSchema)} />
      </details>
      {tool.outputSchema && (
        <details>
          <summary className="mb-2 w-fit">Output schema</summary>
          <Code label="Output schema" text={pretty(tool.outputSchema)} />
        </details>
      )}
      {children}
    </article>
  )
}
