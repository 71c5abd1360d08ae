'use client'

import { useEffect, useRef, useState } from 'react'
import type { Command } from '@/lib/portal/commands'
import { SearchIcon } from './icons'
import type { Destination } from './navigation'
import { OnDemand, part } from './on-demand.client'
import type { PaletteWindowProps } from './palette-window.client'

const WINDOW = part<PaletteWindowProps>(async () => (await import('./palette-window.client')).PaletteWindow)

type Props = { pages: Destination[]; commands: Command[]; find: string }

/** Finds records, pages, guides and commands by name. Opens with Ctrl+K or Cmd+K. */
export function CommandPalette({ pages, commands, find }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [modifier, setModifier] = useState('Ctrl')
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (/mac|iphone|ipad/i.test(navigator.userAgent)) setModifier('⌘')
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="inline-flex min-h-8 items-center gap-2 rounded-md px-1.5 text-sm text-quiet hover:bg-sunken hover:text-ink noscript:hidden lg:border lg:border-line lg:px-2.5"
      >
        <SearchIcon />
        <span className="sr-only lg:not-sr-only">Search…</span>
        <kbd className="hidden min-w-11 font-mono text-xs lg:inline">{modifier} K</kbd>
      </button>
      <OnDemand
        of={WINDOW}
        isWanted={isOpen}
        props={{ isOpen, onClose: () => setOpen(false), pages, commands, find }}
      />
    </>
  )
}
