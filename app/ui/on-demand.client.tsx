'use client'

import { type ComponentType, useEffect, useState } from 'react'

/** Events on a control that opens something, which show that somebody is about to use it. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin'] as const
const OPENS = '[aria-haspopup]'

/** A component that is loaded on demand. `loaded` is undefined until `load` has succeeded; after an error it can be called again. */
export type Part<Props> = { load: () => Promise<void>; loaded: ComponentType<Props> | undefined }

/** Defines a part of a page in its own script, which `fetchIt` imports. */
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

/** Loads a part once somebody is about to open it. An error is ignored here and shown when the part is opened. */
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
 * A part of the page that is loaded when it is first needed, or earlier when somebody points at a control that opens it. A page that is
 * only read never loads it. If loading fails, it says so, and the next attempt loads it again.
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
      <p role="alert" className="text-sm text-danger">
        This could not be loaded. Check your connection and try again.
      </p>
    )
  return null
}
