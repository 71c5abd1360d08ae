'use client'

import {
  type FormEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type Entered, enteredIn, type FormResult, faultOf } from '@/lib/portal/form-result'
import { toast } from '@/lib/portal/toasts'
import { attempt } from './attempt.client'
import { Button, type ButtonLook } from './button'
import { Notice } from './notice'

/** What a form is sent to: the action of a page. */
export type Action<T> = (result: FormResult<T>, form: FormData) => Promise<FormResult<T>>

type Props<T> = {
  action: Action<T>
  /** The label of the submit button. */
  submit: string
  look?: ButtonLook
  size?: 'normal' | 'small'
  /** Hidden values that are sent with the form. */
  values?: Record<string, string>
  className?: string
  id?: string
  /** Called when a value of a field changes. */
  onChange?: () => void
  /** Called with the result's data once the change is made. */
  onDone?: (data: T | undefined) => void
  /** Replaces the form once the change is made; works without script. */
  instead?: (data: T | undefined, message: string | undefined) => ReactNode
  /** The fields; `fault` returns the error of a field, `entered` its initial value. */
  children?: (fault: (field: string) => string | undefined, entered: Entered) => ReactNode
  /** Shown beside the button. */
  beside?: ReactNode
}

/**
 * A form for a change: it submits, disables the button meanwhile, shows errors at the fields and above the form, and confirms with a
 * toast. Without script it is a plain form.
 */
export function ActionForm<T>(props: Props<T>) {
  const {
    action,
    submit,
    look = 'main',
    size,
    values = {},
    className,
    id,
    onChange,
    onDone,
    instead,
    children,
    beside,
  } = props
  const [isLive, setLive] = useState(false)
  const done = useRef(onDone)
  done.current = onDone
  const told = useRef<FormResult<T>>(undefined)
  const tell = useCallback((next: FormResult<T>) => {
    if (!next?.ok || told.current === next) return
    told.current = next
    done.current?.(next.data)
  }, [])
  // Told at once: the page may no longer have this form when the result is shown, because its list was reloaded in the meantime.
  const saying: Action<T> = async (before, filled) => {
    const next = await attempt(() => action(before, filled))
    if (next?.ok && next.message && !instead) toast(next.message)
    tell(next)
    return next
  }
  // Until the script has loaded, the browser submits the form, which only the server action can answer.
  const [result, send, isBusy] = useActionState<FormResult<T>, FormData>(isLive ? saying : action, undefined)
  useEffect(() => setLive(true), [])
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (result?.ok === false) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    if (!result?.ok) return
    form.current?.reset()
    tell(result)
  }, [result, tell])

  // React clears a form after its action, even when it was refused. Submitting it here keeps the values.
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const filled = new FormData(event.currentTarget)
    startTransition(() => send(filled))
  }

  if (result?.ok && instead) return instead(result.data, result.message)
  return (
    <form
      ref={form}
      id={id}
      action={send}
      onSubmit={submitted}
      onChange={onChange}
      className={className ?? 'grid content-start gap-4'}
    >
      {result?.ok === false && (
        <Notice tone="bad" alert>
          <p>{result.error}</p>
          {result.next === 'sign-in' && (
            <p>
              <a href="/sign-in" target="_blank" rel="noopener">
                Sign in (new tab)
              </a>
              , then come back and send this again: what you entered is still here.
            </p>
          )}
          {result.next === 'look' && (
            <p>
              <button type="button" className="underline" onClick={() => location.reload()}>
                Reload the page
              </button>{' '}
              to see whether it was made.
            </p>
          )}
          {result.requestId && <p className="font-mono text-sm">{result.requestId}</p>}
        </Notice>
      )}
      {result?.ok && result.message && !isLive && (
        <Notice tone="good" alert>
          {result.message}
        </Notice>
      )}
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children?.((field) => faultOf(result, field), enteredIn(result))}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          look={look}
          {...(size && { size })}
          aria-disabled={isBusy}
          onClick={(event) => isBusy && event.preventDefault()}
        >
          {submit}
        </Button>
        {beside}
      </div>
    </form>
  )
}
