import type { FieldFault } from '@/lib/core/errors'

/** What a form is told after it was sent; `undefined` before. */
export type Told<T = unknown> =
  | { ok: true; message?: string; data?: T }
  | { ok: false; error: string; fields?: FieldFault[]; requestId?: string }
  | undefined

/** What is wrong with a field, as a form was told. */
export const faultOf = (told: Told, field: string): string | undefined =>
  told?.ok === false ? told.fields?.find((fault) => fault.field === field)?.message : undefined
