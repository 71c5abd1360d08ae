'use client'

import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

/** A tab with its content, which may come from the server. */
export type Tab = { id: string; name: string; content: ReactNode }

/** Returns the tab that a key moves to (WAI-ARIA, tabs pattern); undefined for other keys. */
const target = (key: string, at: number, count: number) =>
  ({ ArrowRight: (at + 1) % count, ArrowLeft: (at + count - 1) % count, Home: 0, End: count - 1 })[key]

type Props = {
  label: string
  tabs: Tab[]
  /** The id of the open tab if the page decides; an unknown id opens the first. */
  chosen?: string
  onChoose?(id: string): void
}

/** Tabs: the Tab key reaches the group, and arrow keys move between tabs. */
export function Tabs({ label, tabs, chosen: given, onChoose }: Props) {
  const [own, setOwn] = useState(0)
  const base = useId()
  const found = given === undefined ? own : tabs.findIndex(({ id }) => id === given)
  const chosen = found < 0 ? own : found
  function setChosen(at: number): void {
    setOwn(at)
    const id = tabs[at]?.id
    if (id !== undefined) onChoose?.(id)
  }

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const next = target(event.key, chosen, tabs.length)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }

  return (
    <>
      <div
        className="mb-3 flex flex-wrap gap-x-1 border-b border-line"
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
      >
        {tabs.map(({ id, name }, at) => (
          <button
            key={id}
            id={`${base}${id}`}
            type="button"
            role="tab"
            aria-selected={at === chosen}
            aria-controls={`${base}${id}-panel`}
            tabIndex={at === chosen ? 0 : -1}
            onClick={() => setChosen(at)}
            className="-mb-px min-h-control border-b-[3px] text-md border-transparent px-3 font-medium text-quiet hover:text-ink aria-selected:border-focus aria-selected:text-ink"
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ id, content }, at) => (
        <div key={id} id={`${base}${id}-panel`} role="tabpanel" aria-labelledby={`${base}${id}`} hidden={at !== chosen}>
          {content}
        </div>
      ))}
    </>
  )
}
