/** Whether a request with one of the reader's keys has come in: none yet, or the first. `at` is an ISO moment. */
export type FirstRequest =
  | { state: 'waiting' }
  | { state: 'seen'; at: string; method: string; path: string; status: number }

/** What the page knows: not asked yet, the answer, or that the reader is not signed in or may not see requests, with what to do about it. */
export type Watched =
  | FirstRequest
  | { state: 'asking' }
  | { state: 'signed-out'; message: string }
  | { state: 'refused'; message: string }
  | { state: 'lost' }

/**
 * The path a page polls, with `since`, the time it was rendered. Answers 401 with a message when signed out, and 403 to a role that
 * may not see requests.
 */
export const FIRST_REQUEST_PATH = '/developers/first-request'

const isText = (value: unknown): value is string => typeof value === 'string'
const fieldsOf = (body: unknown): Record<string, unknown> => (body instanceof Object ? { ...body } : {})

/** Reads the answer of {@link FIRST_REQUEST_PATH}; what it does not know is `lost`. */
export function readFirstRequest(httpStatus: number, body: unknown): Watched {
  const { state, at, method, path, status, error } = fieldsOf(body)
  if (httpStatus === 401 && isText(error)) return { state: 'signed-out', message: error }
  if (httpStatus === 403 && isText(error)) return { state: 'refused', message: error }
  if (state === 'waiting') return { state }
  if (state === 'seen' && isText(at) && isText(method) && isText(path) && typeof status === 'number')
    return { state, at, method, path, status }
  return { state: 'lost' }
}
