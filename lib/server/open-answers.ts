import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { shared } from '@/lib/core/shared'
import { subjectOf } from './address'

/**
 * Answers of this process that one address has open at once: asked for, and not taken to their end. Programs that wait for changes keep many
 * open; pages, files and documents are for people, whose browsers open six at once, and for crawlers.
 */
export const OPEN_ANSWERS = { perAddress: 1_024, publicPerAddress: 128 } as const

export type OpenAnswers = Record<'all' | 'public', Map<string, number>>
export const openAnswers = shared<OpenAnswers>('openAnswers', () => ({ all: new Map(), public: new Map() }))

/** A page has a dozen. */
const MOST_LISTENERS = 20

const tooMany = (most: number) =>
  new ServiceError(
    'rate_limited',
    `More than ${most} answers to this address are still open. Read or close some, then try again.`,
    { headers: { 'retry-after': '1' } },
  )

/** Counts an answer until it is closed. @throws ServiceError `rate_limited` when its address has too many open */
function take(of: keyof OpenAnswers, most: number, request: IncomingMessage, response: ServerResponse): void {
  const open = openAnswers()[of]
  // Each of the bounds of an answer hears when it closes.
  response.setMaxListeners(MOST_LISTENERS)
  const subject = subjectOf(request)
  const before = open.get(subject) ?? 0
  if (before >= most) throw tooMany(most)
  open.set(subject, before + 1)
  response.once('close', () => {
    const left = (open.get(subject) ?? 1) - 1
    if (left > 0) open.set(subject, left)
    else open.delete(subject)
  })
}

/** Counts any answer. @throws ServiceError `rate_limited` */
export const countOpenAnswer = (request: IncomingMessage, response: ServerResponse): void =>
  take('all', OPEN_ANSWERS.perAddress, request, response)

/** The paths where programs send data and ask for it, and of what watches this process. */
const FOR_PROGRAMS = /^\/(api\/|mcp$|mcp\/rpc$|health$|metrics$)/

/**
 * Counts an answer that is for everybody, by its path after routing: a page, a file or a document.
 * @throws ServiceError `rate_limited`
 */
export function countPublicAnswer(path: string, request: IncomingMessage, response: ServerResponse): void {
  if (!FOR_PROGRAMS.test(path)) take('public', OPEN_ANSWERS.publicPerAddress, request, response)
}
