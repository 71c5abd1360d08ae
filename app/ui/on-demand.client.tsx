'use client'

import { type ComponentType, useEffect, useState } from 'react'

/** What shows that somebody is about to open something: pointing at, touching or tabbing to what says that it opens. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin'] as const
const OPENS = '[aria-haspopup]'

/** A component that is loaded when it is wanted. `loaded` is undefined until `load` has fulfilled, which it may do again after a fault. */
export type Part<Props> = { load: () => Promise<void>; loaded: ComponentType<Props> | undefined }

/** A part of a page that stands in a script of its own, which `fetchIt` imports. */
export function part<Props>(fetchIt: () => Promise<ComponentType<Props>>): Part<Props> {
  let loading: Promise<void> | undefined
  const self: Part<Props> = {
    loaded: undefined,
    load: () => {
      loading ??= fetchIt().then(
        (component) => {
          self.loaded = component
        },
        (error) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
  return self
}

/** Fetches a part once somebody is about to open one. A fault is nobody's yet: it is told when the part is wanted. */
function fetchAhead({ load }: Pick<Part<never>, 'load'>): () => void {
  const signs = new AbortController()
  const onSign = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest(OPENS))) return
    signs.abort()
    load().catch(() => {})
  }
  for (const sign of SIGNS) addEventListener(sign, onSign, { passive: true, signal: signs.signal })
  return () => signs.abort()
}

type OnDemandProps<Props> = { of: Part<Props>; isWanted: boolean; props: Props }

/**
 * A part of the page that is loaded when it is first wanted, or ahead of that as somebody points at a control that opens: a page that is only
 * read never loads it. Where it cannot be loaded, it says so, and is tried again the next time.
 */
export function OnDemand<Props extends object>({ of, isWanted, props }: OnDemandProps<Props>) {
  const [state, setState] = useState<'absent' | 'here' | 'failed'>('absent')
  useEffect(() => fetchAhead(of), [of])
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    of.load().then(
      () => !isGone && setState('here'),
      () => !isGone && setState('failed'),
    )
    return () => {
      isGone = true
    }
  }, [isWanted, of])
  const Loaded = of.loaded
  if (state === 'here' && Loaded) return <Loaded {...props} />
  if (state === 'failed' && isWanted)
    return (
      <p role="alert" className="text-sm text-bad">
        This could not be loaded. Check your connection and try again.
      </p>
    )
  return null
}
