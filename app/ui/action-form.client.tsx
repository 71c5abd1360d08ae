'use client'

import {
  type FormEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type Entered, enteredIn, type FormResult, faultOf } from '@/lib/portal/form-result'
import { toast } from '@/lib/portal/toasts'
import { attempt } from './attempt.client'
import { Button, type ButtonLook } from './button'
import { classes } from './classes'
import { Confirming } from './confirming.client'
import { Notice } from './notice'

/** The action of a page to which a form is sent. */
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
  /** Runs when a value of a field changes. */
  onChange?: () => void
  /** Receives the result's data once the change is made. */
  onDone?: (data: T | undefined) => void
  /** Replaces the form once the change is made; works without script. */
  instead?: (data: T | undefined, message: string | undefined) => ReactNode
  /** Steps before the last one, each with the label of its button. Without script all steps are one. */
  step?: { isLast: boolean; next: string; onNext: () => void }
  /** Whether the buttons stay in view at the foot of the window. */
  isSticky?: boolean
  /**
   * The fields; `fault` returns the error of a field, `entered` its initial value, `data` is that of the result before; `isStepped` says
   * whether the steps are shown one by one.
   */
  children?: (
    fault: (field: string) => string | undefined,
    entered: Entered,
    data: T | undefined,
    isStepped: boolean,
  ) => ReactNode
  /** The content beside the button. */
  beside?: ReactNode
}

type Refused = Extract<FormResult<unknown>, { ok: false }>

/** Why a form was refused, and what its sender can do next. */
function Refusal({
  of: { error, proving, next, requestId },
  isLive,
  onProve,
}: {
  of: Refused
  isLive: boolean
  onProve: () => void
}) {
  return (
    <Notice tone="danger" alert>
      <p>{error}</p>
      {proving && isLive && (
        <p>
          <button type="button" className="underline" aria-haspopup="dialog" onClick={onProve}>
            Confirm it’s you
          </button>
        </p>
      )}
      {proving && !isLive && (
        <p>
          <a href={proving.page} target="_blank" rel="noopener">
            Confirm it’s you (new tab)
          </a>
          , then come back and send this again: what you entered is still here.
        </p>
      )}
      {next === 'sign-in' && (
        <p>
          <a href="/sign-in" target="_blank" rel="noopener">
            Sign in (new tab)
          </a>
          , then come back and send this again: what you entered is still here.
        </p>
      )}
      {next === 'look' && (
        <p>
          <button type="button" className="underline" onClick={() => location.reload()}>
            Reload the page
          </button>{' '}
          to see whether it was made.
        </p>
      )}
      {requestId && <p className="font-mono text-sm">{requestId}</p>}
    </Notice>
  )
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
    step,
    isSticky = false,
  } = props
  const hasNext = step?.isLast === false
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
  const Confirm = useContext(Confirming)
  const [isProving, setProving] = useState(false)

  useEffect(() => {
    setProving(result?.ok === false && result.proving !== undefined)
    if (result?.ok === false) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    if (!result?.ok) return
    form.current?.reset()
    tell(result)
  }, [result, tell])

  // React clears a form after its action, even when it was refused. Submitting it here keeps the values.
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (hasNext) {
      step?.onNext()
      return
    }
    const filled = new FormData(event.currentTarget)
    startTransition(() => send(filled))
  }

  const proving = result?.ok === false ? result.proving : undefined
  const stopProving = useCallback(() => setProving(false), [])
  const goOn = useCallback(() => {
    setProving(false)
    const filled = form.current && new FormData(form.current)
    if (filled) startTransition(() => send(filled))
  }, [send])

  if (result?.ok && instead) return instead(result.data, result.message)
  return (
    <>
      <form
        ref={form}
        id={id}
        action={send}
        onSubmit={submitted}
        onChange={onChange}
        className={className ?? 'grid content-start gap-4 *:min-w-0'}
      >
        {result?.ok === false && <Refusal of={result} isLive={isLive} onProve={() => setProving(true)} />}
        {result?.ok && result.message && !isLive && (
          <Notice tone="good" alert>
            {result.message}
          </Notice>
        )}
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children?.((field) => faultOf(result, field), enteredIn(result), result?.ok ? result.data : undefined, isLive)}
        <div
          className={classes(
            'flex flex-wrap items-center gap-2',
            isSticky && 'sticky bottom-0 z-1 -mx-1 border-t border-line bg-raised px-1 py-3',
          )}
        >
          <Button
            type="submit"
            look={look}
            {...(size && { size })}
            aria-disabled={isBusy}
            onClick={(event) => isBusy && event.preventDefault()}
          >
            {isLive && hasNext ? step?.next : submit}
          </Button>
          {beside}
        </div>
      </form>
      {proving && Confirm && <Confirm proving={proving} isOpen={isProving} onClose={stopProving} onDone={goOn} />}
    </>
  )
}
