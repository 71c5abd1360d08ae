/**
 * Tells whether a request with one of the reader's keys has arrived: none yet, or the first; or that nobody is signed in, whose requests it
 * could be, and what to do. `at` is an ISO timestamp.
 */
export type FirstRequest =
  | { state: 'signed-out'; message: string }
  | { state: 'waiting' }
  | { state: 'seen'; at: string; method: string; path: string; status: number }

/** The page's state: not requested yet, the answer, or why the reader gets none (no permission, or the server is away). */
export type Watched = FirstRequest | { state: 'asking' } | { state: 'refused'; message: string } | { state: 'lost' }

/**
 * The path a page polls, with `since`, the time it was rendered. Being signed out is an answer with status 200, because browsers report
 * a 401 as a fault of the public page that polls. A role that may not see requests gets 403.
 */
export const FIRST_REQUEST_PATH = '/developers/first-request'

const isText = (value: unknown): value is string => typeof value === 'string'
const fieldsOf = (body: unknown): Record<string, unknown> => (body instanceof Object ? { ...body } : {})

/** Reads a response of {@link FIRST_REQUEST_PATH}; an unknown one is `lost`. */
export function readFirstRequest(httpStatus: number, body: unknown): Watched {
  const { state, at, method, path, status, error, message } = fieldsOf(body)
  if (httpStatus === 403 && isText(error)) return { state: 'refused', message: error }
  if (state === 'signed-out' && isText(message)) return { state, message }
  if (state === 'waiting') return { state }
  if (state === 'seen' && isText(at) && isText(method) && isText(path) && typeof status === 'number')
    return { state, at, method, path, status }
  return { state: 'lost' }
}
