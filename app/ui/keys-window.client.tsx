'use client'

import { SHORTCUTS } from '@/lib/portal/shortcuts'
import { DialogWindow } from './dialog-window.client'

export type KeysWindowProps = { isOpen: boolean; onClose: () => void }

/** The list of keys that every page has, loaded when it is first asked for. */
export function KeysWindow({ isOpen, onClose }: KeysWindowProps) {
  return (
    <DialogWindow title="Keys" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-3">
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={keys} className="col-span-full grid grid-cols-subgrid">
            <dt>
              <kbd className="rounded-md border border-edge px-1.5 py-0.5 font-mono text-sm">{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </DialogWindow>
  )
}
