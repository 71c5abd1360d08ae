'use client'

import { useEffect, useState } from 'react'
import { left, relative } from '@/lib/portal/moments'

/**
 * Returns the current time, updated at an interval. Starts with the given time, so that server and browser render the same text.
 */
function useNow(first: string, everyMs: number): Date {
  const [now, setNow] = useState(() => new Date(first))
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Shows a time as "3 minutes ago", updated while the page stays open. Use `Time`. */
export function RelativeTicks({ at, now }: { at: string; now: string }) {
  return relative(new Date(at), useNow(now, 30_000))
}

/** Shows "00:59:12", counting down. Use `Countdown`. */
export function CountdownTicks({ until, now, done }: { until: string; now: string; done: string }) {
  return left(new Date(until), useNow(now, 1_000)) ?? done
}
