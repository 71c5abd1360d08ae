'use client'

import { Menu } from '@base-ui/react/menu'
import { type RefObject, useRef } from 'react'
import { classes } from './classes'

/**
 * Returns the container for a popup of an element: its dialog, otherwise its landmark, so that people who navigate by landmarks find it.
 * These containers do not clip, unlike elements in between.
 */
export const landmarkOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[role=dialog], header, main') ?? null

/** A link or an action. `current` marks the selected one, `danger` an action that cannot be undone. */
export type MenuItem = { name: string; hint?: string; current?: boolean; danger?: boolean } & (
  | { href: string }
  | { onChoose: () => void }
)

export type MenuListProps = {
  isOpen: boolean
  onClose: () => void
  /** The menu's button, which gets the focus back. */
  button: RefObject<HTMLButtonElement | null>
  name: string
  items: MenuItem[]
  align: 'start' | 'end'
}

/** The list of a menu, loaded when the first one opens; see `Menu`. */
export function MenuList({ isOpen, onClose, button, name, items, align }: MenuListProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Menu.Root
      open={isOpen}
      modal={false}
      // The first item is highlighted even when opened by pointer; arrows and letters move from there.
      onOpenChangeComplete={(isThere) =>
        isThere && popup.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
      }
      onOpenChange={(opens, { event }) => {
        // A press on its own button is ignored, because that button's click closes the menu.
        if (!opens && !(event.target instanceof Node && button.current?.contains(event.target))) onClose()
      }}
    >
      <Menu.Portal container={landmarkOf(button.current)}>
        <Menu.Positioner
          anchor={button}
          align={align}
          sideOffset={4}
          positionMethod="fixed"
          collisionPadding={8}
          className="z-50"
        >
          <Menu.Popup
            ref={popup}
            aria-label={name}
            finalFocus={button}
            className="max-h-(--available-height) max-w-[calc(100vw-1rem)] min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg outline-none"
          >
            {items.map((item) => (
              <Entry key={item.name} item={item} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Entry({ item }: { item: MenuItem }) {
  const look = {
    className: classes(
      'block w-full cursor-pointer rounded-md px-3 py-1.5 text-start no-underline outline-none select-none data-highlighted:bg-sunken',
      item.danger && 'text-danger',
    ),
    ...(item.current && { 'aria-current': true as const }),
  }
  const words = (
    <>
      {item.name}
      {item.hint && <span className="block text-sm text-quiet">{item.hint}</span>}
    </>
  )
  if ('href' in item)
    return (
      <Menu.LinkItem href={item.href} closeOnClick {...look}>
        {words}
      </Menu.LinkItem>
    )
  return (
    <Menu.Item onClick={item.onChoose} {...look}>
      {words}
    </Menu.Item>
  )
}
