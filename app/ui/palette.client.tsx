'use client'

import { Search } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { type Command, onCommand } from '@/lib/portal/commands'
import { isTypedInto, movesFocus, shortcutOf } from '@/lib/portal/shortcuts'
import { Icon } from './glyph'
import type { KeysWindowProps } from './keys-window.client'
import type { Destination } from './navigation'
import { OnDemand, part } from './on-demand.client'
import type { PaletteWindowProps } from './palette-window.client'

const WINDOW = part<PaletteWindowProps>(async () => (await import('./palette-window.client')).PaletteWindow)
const KEYS = part<KeysWindowProps>(async () => (await import('./keys-window.client')).KeysWindow)

type Props = { pages: Destination[]; actions: Destination[]; commands: Command[]; find: string }

/** Finds records, pages, guides and commands by name. Opens with Ctrl+K or Cmd+K. Listens for the other keys that every page has, too. */
export function CommandPalette({ pages, actions, commands, find }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [showsKeys, setShowsKeys] = useState(false)
  const [modifier, setModifier] = useState('Ctrl')
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (/mac|iphone|ipad/i.test(navigator.userAgent)) setModifier('⌘')
    const onKey = (event: KeyboardEvent) => {
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
        ref={button}
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
        props={{ isOpen, onClose: () => setOpen(false), pages, actions, commands, find }}
      />
      <OnDemand of={KEYS} isWanted={showsKeys} props={{ isOpen: showsKeys, onClose: () => setShowsKeys(false) }} />
    </>
  )
}
