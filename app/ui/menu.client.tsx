'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, type ButtonLook } from './button'
import { classes } from './classes'

/** A link, or something to do. `current` marks the one that is chosen already. */
export type MenuItem = { name: string; hint?: string; current?: boolean } & (
  | { href: string }
  | { onChoose: () => void }
)

type Props = { label: ReactNode; items: MenuItem[]; look?: ButtonLook; name?: string; align?: 'start' | 'end' }

const ITEM =
  'block w-full rounded-md px-3 py-1.5 text-start no-underline hover:bg-sunken focus-visible:bg-sunken focus-visible:-outline-offset-2'

/** Where a key leads among `count` items (WAI-ARIA, menu button pattern); a letter goes to the next item that begins with it. */
function target(key: string, at: number, items: MenuItem[]): number | undefined {
  const count = items.length
  const steps: Record<string, number> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at + count - 1) % count,
    Home: 0,
    End: count - 1,
  }
  if (key in steps) return steps[key]
  if (!/^\S$/.test(key)) return undefined
  const order = [...items.keys()].map((step) => (at + 1 + step) % count)
  return order.find((index) => items[index]?.name.toLowerCase().startsWith(key.toLowerCase()))
}

/** A button with a menu under it: arrows, Home, End and letters move, Escape and a click beside close and give the focus back. */
export function Menu({ label, items, look = 'bare', name, align = 'end' }: Props) {
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

  useEffect(() => {
    if (!isOpen) return
    list.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    const leave = ({ target }: Event) => target instanceof Node && !whole.current?.contains(target) && setOpen(false)
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [isOpen])

  function close(): void {
    setOpen(false)
    whole.current?.querySelector('button')?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      return setOpen(true)
    }
    if (event.key === 'Tab') return setOpen(false)
    if (event.key === 'Escape') return close()
    const at = entries().findIndex((entry) => entry.matches(':focus'))
    const next = target(event.key, at, items)
    if (next === undefined) return
    event.preventDefault()
    entries()[next]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the button and of the items meet here.
    <div ref={whole} className="relative" onKeyDown={onKeyDown}>
      <Button
        look={look}
        size="small"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(name && { 'aria-label': name })}
        {...(isOpen && { 'aria-controls': id })}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      {isOpen && (
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={name ?? (typeof label === 'string' ? label : 'Menu')}
          className={classes(
            'absolute z-30 mt-1 min-w-48 rounded-lg border border-line bg-raised p-1 shadow-lg',
            align === 'end' ? 'end-0' : 'start-0',
          )}
        >
          {items.map((item) => (
            <Entry key={item.name} item={item} onDone={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function Entry({ item, onDone }: { item: MenuItem; onDone: () => void }) {
  const words = (
    <>
      {item.name}
      {item.hint && <span className="block text-sm text-quiet">{item.hint}</span>}
    </>
  )
  const current = item.current && { 'aria-current': true }
  if ('href' in item)
    return (
      <a role="menuitem" tabIndex={-1} href={item.href} {...current} className={ITEM}>
        {words}
      </a>
    )
  const choose = () => {
    onDone()
    item.onChoose()
  }
  return (
    <button type="button" role="menuitem" tabIndex={-1} {...current} className={ITEM} onClick={choose}>
      {words}
    </button>
  )
}
