import 'server-only'
import { cache } from 'react'
import { type Desk, deskOf } from '@/lib/core/desk'
import { currentSession } from './actor'

/** Returns the desk of the current request. Pages await it and hand it on; components take what they show. */
export const desk = cache(async (): Promise<Desk> => deskOf((await currentSession())?.current, new Date()))
