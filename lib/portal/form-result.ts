import type { FieldFault } from '@/lib/core/errors'

/** The values of a refused form, by field. */
export type Sent = Record<string, string | string[]>

/** The way a person confirms that it is them, and the page for browsers without script. */
export type Proving = { page: string } & ({ sso: { slug: string; host: string } } | { email: string; passkey: boolean })

/**
 * The result of a submitted form; `undefined` before. `next` is what the person must do first: sign in again, or check what was created.
 * With `proving` they first confirm that it is them, and the form is sent again.
 * `sent` has the entered values when no script keeps them.
 */
export type FormResult<T = unknown> =
  | { ok: true; message?: string; data?: T }
  | {
      ok: false
      error: string
      fields?: FieldFault[]
      requestId?: string
      next?: 'sign-in' | 'look'
      proving?: Proving
      sent?: Sent
    }
  | undefined

/** Returns the error of a field after the form was refused. */
export const faultOf = (result: FormResult, field: string): string | undefined =>
  result?.ok === false ? result.fields?.find((fault) => fault.field === field)?.message : undefined

/** The initial values of a form's fields: those of the refused form when no script kept them, otherwise the stored ones. */
export type Entered = {
  text: (field: string, stored?: string) => string | undefined
  has: (field: string, value: string, stored?: boolean) => boolean
}

/** Returns the initial values of a form's fields after a response. */
export function enteredIn(result: FormResult): Entered {
  const sent = result?.ok === false ? result.sent : undefined
  return {
    text: (field, stored) => (sent ? [sent[field]].flat()[0] : stored),
    has: (field, value, stored = false) => (sent ? [sent[field]].flat().includes(value) : stored),
  }
}
