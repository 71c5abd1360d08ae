'use client'

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { matching } from '@/lib/portal/palette'
import { classes } from './classes'
import { SearchIcon } from './icons'
import type { Destination, Group } from './navigation'

/** Pages by name: Ctrl or Cmd with K, arrows, Enter. A combobox over a list, in a dialog. */
export function CommandPalette({ groups }: { groups: Group[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    dialog.current?.showModal()
  }

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (dialog.current?.open) return dialog.current.close()
      setOpen(true)
      dialog.current?.showModal()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        className="inline-flex min-h-8 items-center gap-2 rounded-md px-1.5 text-sm text-quiet hover:bg-sunken hover:text-ink noscript:hidden lg:border lg:border-line lg:px-2.5"
      >
        <SearchIcon />
        <span className="sr-only lg:not-sr-only">Go to…</span>
        <kbd className="hidden font-mono text-xs lg:inline">Ctrl K</kbd>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes by keyboard. */}
      <dialog
        ref={dialog}
        aria-label="Go to a page"
        onClose={() => setOpen(false)}
        onClick={({ target }) => target === dialog.current && dialog.current?.close()}
        className="mx-auto mt-[12vh] w-[calc(100vw-2rem)] max-w-lg rounded-xl border border-line bg-raised p-0 shadow-2xl"
      >
        {isOpen && <Finder pages={groups.flatMap(({ pages }) => pages)} />}
      </dialog>
    </>
  )
}

/** Where an arrow key leads in the list. */
const step = (key: string, at: number, count: number) =>
  ({ ArrowDown: (at + 1) % count, ArrowUp: (at + count - 1) % count })[key]

function Finder({ pages }: { pages: Destination[] }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const found = matching(pages, text)
  const option = (index: number) => `${id}-${index}`

  function onKeyDown(event: KeyboardEvent): void {
    const chosen = found[at]
    if (event.key === 'Enter' && chosen) location.assign(chosen.href)
    const next = found.length > 0 ? step(event.key, at, found.length) : undefined
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
    document.getElementById(option(next))?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: a dialog's first field is where the focus belongs.
        autoFocus
        role="combobox"
        aria-label="Page"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        {...(found.length > 0 && { 'aria-activedescendant': option(at) })}
        autoComplete="off"
        spellCheck={false}
        placeholder="Where to?"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        className="w-full border-b border-line bg-transparent px-4 py-3.5 -outline-offset-2"
      />
      <div id={id} role="listbox" aria-label="Pages" className="max-h-80 overflow-y-auto p-1.5">
        {found.map(({ href, name, about }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys (WAI-ARIA, combobox pattern).
          <div
            key={href}
            id={option(index)}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => location.assign(href)}
            onPointerMove={() => setAt(index)}
            className={classes('cursor-pointer rounded-md px-3 py-2', index === at && 'bg-sunken')}
          >
            {name} <span className="block text-sm text-quiet">{about}</span>
          </div>
        ))}
      </div>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'px-4 pb-4 text-quiet'}>
        {found.length > 0 ? `${found.length} ${found.length === 1 ? 'page' : 'pages'}` : 'No page with that name.'}
      </p>
    </>
  )
}
