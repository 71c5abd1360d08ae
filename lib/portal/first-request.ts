/** Whether a request with one of the reader's keys has arrived: none yet, or the first. `at` is an ISO timestamp. */
export type FirstRequest =
  | { state: 'waiting' }
  | { state: 'seen'; at: string; method: string; path: string; status: number }

/** The page's state: not requested yet, the answer, or why the reader gets none (signed out, or no permission) and what to do. */
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

/** Reads a response of {@link FIRST_REQUEST_PATH}; an unknown one is `lost`. */
export function readFirstRequest(httpStatus: number, body: unknown): Watched {
  const { state, at, method, path, status, error } = fieldsOf(body)
  if (httpStatus === 401 && isText(error)) return { state: 'signed-out', message: error }
  if (httpStatus === 403 && isText(error)) return { state: 'refused', message: error }
  if (state === 'waiting') return { state }
  if (state === 'seen' && isText(at) && isText(method) && isText(path) && typeof status === 'number')
    return { state, at, method, path, status }
  return { state: 'lost' }
}
