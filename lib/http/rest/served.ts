import type { HttpBinding } from '@/lib/operations/define'

/** Returns an operation's path as it is served. */
export const servedPath = ({ http }: { http: Pick<HttpBinding, 'at' | 'path'> }) =>
  http.at === 'data' ? `/api/v1${http.path}` : http.path
