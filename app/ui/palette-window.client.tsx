'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { matching } from '@/lib/portal/palette'
import type { Destination, Group } from './navigation'

export type PaletteWindowProps = { isOpen: boolean; onClose: () => void; groups: Group[] }

/** The palette itself, loaded when it first opens: a combobox over a list, in a dialog. */
export function PaletteWindow({ isOpen, onClose, groups }: PaletteWindowProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(opens) => !opens && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          aria-label="Go to a page"
          className="fixed inset-x-4 top-[12vh] z-40 mx-auto max-w-lg overflow-hidden rounded-xl border border-line bg-raised shadow-2xl outline-none"
        >
          <Finder pages={groups.flatMap(({ pages }) => pages)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({ pages }: { pages: Destination[] }) {
  const [text, setText] = useState('')
  const found = matching(pages, text)
  return (
    <Autocomplete.Root
      inline
      open
      items={found}
      filter={null}
      autoHighlight="always"
      value={text}
      onValueChange={setText}
      itemToStringValue={({ name }) => name}
    >
      <Autocomplete.Input
        aria-label="Page"
        spellCheck={false}
        placeholder="Where to?"
        className="w-full border-b border-line bg-transparent px-4 py-3.5 -outline-offset-2"
      />
      <Autocomplete.List aria-label="Pages" className="max-h-80 overflow-y-auto p-1.5 empty:p-0">
        {(page: Destination) => (
          <Autocomplete.Item
            key={page.href}
            value={page}
            onClick={() => location.assign(page.href)}
            className="cursor-pointer rounded-md px-3 py-2 data-highlighted:bg-sunken"
          >
            {page.name} <span className="block text-sm text-quiet">{page.about}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'p-4 text-quiet'}>
        {found.length > 0 ? `${found.length} ${found.length === 1 ? 'page' : 'pages'}` : 'No page with that name.'}
      </p>
    </Autocomplete.Root>
  )
}
