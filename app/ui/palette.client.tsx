'use client'

import { Search } from 'lucide'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Command, onCommand } from '@/lib/portal/palette'
import { isTypedInto, letterOf, movesFocus, shortcutOf } from '@/lib/portal/shortcuts'
import { Icon } from './glyph'
import type { KeysWindowProps } from './keys-window.client'
import type { Destination } from './navigation'
import { OnDemand, part } from './on-demand.client'
import type { PaletteWindowProps } from './palette-window.client'

const WINDOW = part<PaletteWindowProps>(async () => (await import('./palette-window.client')).PaletteWindow)
const KEYS = part<KeysWindowProps>(async () => (await import('./keys-window.client')).KeysWindow)

type Props = { pages: Destination[]; actions: Destination[]; commands: Command[]; find: string }

/** Keeps a letter that is typed before the palette has a field for it, and returns whether it did. */
function keepLetter(event: KeyboardEvent, early: RefObject<string | undefined>): boolean {
  const letter = isTypedInto(event.target) ? undefined : letterOf(event)
  if (letter === undefined || early.current === undefined) return false
  event.preventDefault()
  early.current += letter
  return true
}

/** Finds records, pages, guides and commands by name. Opens with Ctrl+K or Cmd+K. Listens for the other keys that every page has, too. */
export function CommandPalette({ pages, actions, commands, find }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [showsKeys, setShowsKeys] = useState(false)
  const [modifier, setModifier] = useState('Ctrl')
  /** What was typed since it was asked for, until its field has the focus; undefined while it is closed, or cannot be loaded. */
  const early = useRef<string>(undefined)

  useEffect(() => {
    early.current = isOpen ? '' : undefined
    const isNoMore = () => {
      early.current = undefined
    }
    if (isOpen) WINDOW.load().catch(isNoMore)
  }, [isOpen])

  useEffect(() => {
    if (/mac|iphone|ipad/i.test(navigator.userAgent)) setModifier('⌘')
    const onKey = (event: KeyboardEvent) => {
      if (keepLetter(event, early)) return
      const shortcut = shortcutOf(event, isTypedInto(event.target))
      if (!shortcut) return
      event.preventDefault()
      if (movesFocus(shortcut)) return
      if (shortcut === 'keys') setShowsKeys(true)
      else setOpen((before) => !before)
    }
    window.addEventListener('keydown', onKey)
    const stopListening = onCommand(({ act }) => act === 'keys' && setShowsKeys(true))
    return () => {
      window.removeEventListener('keydown', onKey)
      stopListening()
    }
  }, [])

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => setOpen(true)}
        className="inline-flex min-h-8 items-center gap-2 rounded-md px-1.5 text-sm text-quiet hover:bg-sunken hover:text-ink noscript:hidden lg:border lg:border-line lg:px-2.5"
      >
        <Icon of={Search} />
        <span className="sr-only lg:not-sr-only">Search…</span>
        <kbd className="hidden min-w-11 font-mono text-xs lg:inline">{modifier} K</kbd>
      </button>
      <OnDemand
        of={WINDOW}
        isWanted={isOpen}
        props={{ isOpen, onClose: () => setOpen(false), early, pages, actions, commands, find }}
      />
      <OnDemand of={KEYS} isWanted={showsKeys} props={{ isOpen: showsKeys, onClose: () => setShowsKeys(false) }} />
    </>
  )
}
