'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { type RefObject, useEffect, useState } from 'react'
import {
  type Command,
  type Found,
  isNamed,
  matching,
  readFound,
  runCommand,
  SHORTEST_SEARCH,
} from '@/lib/portal/palette'
import type { Destination } from './navigation'

type Choices = {
  pages: Destination[]
  commands: Command[]
  /** What can be done, at the page where it begins. */
  actions: Destination[]
  /** The path that searches records and guides. */
  find: string
  /** What was typed before there was a field for it. */
  early: RefObject<string | undefined>
}
export type PaletteWindowProps = Choices & { isOpen: boolean; onClose: () => void }

/** The palette itself, loaded when it first opens: a combobox over a list, in a dialog. */
export function PaletteWindow({ isOpen, onClose, ...choices }: PaletteWindowProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(opens) => !opens && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop data-backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          aria-label="Search"
          className="fixed inset-x-4 top-[12vh] z-40 mx-auto max-w-xl overflow-hidden rounded-xl border border-line bg-raised shadow-2xl outline-none"
        >
          <Finder {...choices} isOpen={isOpen} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The pause before a search; long enough that a quickly typed word is searched once. */
const PAUSE_MS = 120

type Search = { text: string; found: Found[]; isLost: boolean }

/** Searches on the server; the previous results stay until the next ones arrive. */
function useSearch(at: string, text: string): Search {
  const [search, setSearch] = useState<Search>({ text: '', found: [], isLost: false })
  useEffect(() => {
    if (text.length < SHORTEST_SEARCH) return setSearch({ text, found: [], isLost: false })
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const init = { headers: { accept: 'application/json' }, signal: stop.signal }
        const answer = await fetch(`${at}?${new URLSearchParams({ q: text })}`, init)
        const found = answer.ok ? readFound(await answer.json()) : []
        setSearch({ text, found, isLost: !answer.ok })
      } catch {
        if (!stop.signal.aborted) setSearch({ text, found: [], isLost: true })
      }
    }, PAUSE_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [at, text])
  return search
}

type Entry = { key: string; name: string; about: string; kind: string; choose: () => void }

const goTo = (href: string) => () => location.assign(href)

const does = (command: Command) => () => runCommand(command)

const entryFor = ({ href, name, about }: Destination, kind: string): Entry => ({
  key: `${name} ${href}`,
  name,
  about,
  kind,
  choose: goTo(href),
})

function entriesFor(
  { pages, actions, commands }: Pick<Choices, 'pages' | 'actions' | 'commands'>,
  text: string,
  found: readonly Found[],
): Entry[] {
  // What can be done is listed only after something was typed.
  const toDo = text === '' ? [] : matching(actions, text)
  const done = text === '' ? [] : matching(commands, text)
  const own = [
    ...matching(pages, text).map((page) => entryFor(page, '')),
    ...toDo.map((action) => entryFor(action, 'do')),
    ...done.map((command) => ({
      key: command.name,
      name: command.name,
      about: command.about,
      kind: 'do',
      choose: does(command),
    })),
  ]
  const others = found.map((each) => ({ ...each, key: each.href, choose: goTo(each.href) }))
  return [
    ...own.filter((entry) => isNamed(entry, text)),
    ...others.filter(({ kind }) => kind !== 'guide'),
    ...own.filter((entry) => !isNamed(entry, text)),
    ...others.filter(({ kind }) => kind === 'guide'),
  ]
}

function statusOf({ isLost }: Search, count: number, isWaiting: boolean): string {
  if (isLost) return 'Search cannot be reached right now. Pages and commands still work.'
  if (count > 0) return `${count} ${count === 1 ? 'result' : 'results'}`
  return isWaiting ? 'Searching…' : 'Nothing found. Try a name, a street, a number, a phone number or an email address.'
}

function Finder({ isOpen, onClose, early, ...choices }: PaletteWindowProps) {
  const [typed, setText] = useState('')
  // The window may open while it is still closing.
  useEffect(() => {
    if (!isOpen) setText('')
  }, [isOpen])
  const text = typed.trim()
  const search = useSearch(choices.find, text)
  const entries = entriesFor(choices, text, text.length < SHORTEST_SEARCH ? [] : search.found)
  const status = statusOf(search, entries.length, search.text !== text)
  return (
    <Autocomplete.Root
      inline
      open
      items={entries}
      filter={null}
      autoHighlight="always"
      value={typed}
      onValueChange={setText}
      itemToStringValue={({ name }) => name}
    >
      <Autocomplete.Input
        aria-label="Search"
        onFocus={() => {
          if (early.current) setText(early.current)
          early.current = ''
        }}
        spellCheck={false}
        placeholder="Name, number, phone, street, page…"
        className="w-full border-b border-line bg-transparent px-4 py-3.5 -outline-offset-2"
      />
      <Autocomplete.List aria-label="Results" className="max-h-96 overflow-y-auto p-1.5 empty:p-0">
        {(entry: Entry) => (
          <Autocomplete.Item
            key={entry.key}
            value={entry}
            onClick={() => {
              entry.choose()
              onClose()
            }}
            className="flex cursor-pointer items-baseline justify-between gap-3 rounded-md px-3 py-2 data-highlighted:bg-sunken"
          >
            <span className="min-w-0">
              <span className="block wrap-anywhere">{entry.name}</span>
              <span className="block text-sm wrap-anywhere text-quiet">{entry.about}</span>
            </span>
            {entry.kind && <span className="shrink-0 text-sm text-quiet">{entry.kind}</span>}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
      <p role="status" className={entries.length > 0 && !search.isLost ? 'sr-only' : 'p-4 text-quiet'}>
        {status}
      </p>
    </Autocomplete.Root>
  )
}
