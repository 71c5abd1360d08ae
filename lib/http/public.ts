/** Methods allowed on what everyone may read. */
export const GET_METHODS = 'GET, HEAD, OPTIONS'

/** Cross-origin reading is for public documents only; everything else stays closed to other sites' pages. */
export const PUBLIC_CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': GET_METHODS,
  'access-control-allow-headers': '*',
}
