import type { FieldFault } from '@/lib/core/errors'

/** What a form gets back after it was sent; `undefined` before. `next` is what the person must do first: sign in again, or look what was made. */
export type FormResult<T = unknown> =
  | { ok: true; message?: string; data?: T }
  | { ok: false; error: string; fields?: FieldFault[]; requestId?: string; next?: 'sign-in' | 'look' }
  | undefined

/** What is wrong with a field of a form that was refused. */
export const faultOf = (result: FormResult, field: string): string | undefined =>
  result?.ok === false ? result.fields?.find((fault) => fault.field === field)?.message : undefined
