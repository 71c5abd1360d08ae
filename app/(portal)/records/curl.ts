import { hrefOf } from '@/app/query'
import { baseUrls, env } from '@/lib/core/env'
import { curlOf, KEY_VARIABLE } from '@/lib/portal/curl'

/** Returns a curl command that reads the data API on this server, with the key in a shell variable. */
export function dataCurl(path: string, parameters: Record<string, string | undefined> = {}): string {
  const { api, apiPrefix } = baseUrls(env())
  const requestHeaders = { 'x-api-key': `$${KEY_VARIABLE}` }
  const url = hrefOf(`${api}${apiPrefix}${path}`, parameters)
  return curlOf({ method: 'GET', url, requestHeaders, requestBody: '' }, '')
}
