'use client'

import { type ReactNode, useRef, useState } from 'react'
import { Button, type ButtonLook } from './button'
import type { MenuItem, MenuListProps } from './menu-list.client'
import { OnDemand, part } from './on-demand.client'

export type { MenuItem }

const LIST = part<MenuListProps>(async () => (await import('./menu-list.client')).MenuList)

type Props = {
  label: ReactNode
  items: MenuItem[]
  look?: ButtonLook
  /** The accessible name if the label is not enough: "Change Ada". */
  name?: string
  align?: 'start' | 'end'
}

/**
 * A button with a menu that is above everything else on the page, so that no table clips it. Arrows, Home, End and letters move; Escape
 * and a click outside close it and return the focus.
 */
export function Menu({ label, items, look = 'bare', name, align = 'end' }: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list: MenuListProps = {
    isOpen,
    onClose: () => setOpen(false),
    button,
    name: name ?? (typeof label === 'string' ? label : 'Menu'),
    items,
    align,
  }
  return (
    <>
      <Button
        ref={button}
        look={look}
        size="small"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(name && { 'aria-label': name })}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {label}
      </Button>
      <OnDemand of={LIST} isWanted={isOpen} props={list} />
    </>
  )
}
