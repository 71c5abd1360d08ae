import { CircleAlert } from 'lucide'
import { type ReactNode, useId } from 'react'
import { classes } from './classes'
import { Icon } from './glyph'

/** Attributes that connect a control to its label, hint and error; spread them over the control. */
export type Tied = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true; 'aria-required'?: true }

type Props = {
  label: ReactNode
  /** The purpose or the required form of the value; shown below the control. */
  hint?: ReactNode
  /** The error and how to fix it; undefined when there is none. Screen readers announce it. */
  error?: string | undefined
  required?: boolean | undefined
  id?: string
  className?: string
  children: (tied: Tied) => ReactNode
}

/**
 * A label with its control, hint and error, connected for screen readers.
 * @example <Field label="Name" hint="Shown in lists.">{(tied) => <Input name="name" {...tied} />}</Field>
 */
export function Field({ label, hint, error, required, id, className, children }: Props) {
  const made = useId()
  const of = id ?? made
  const described = classes(error && `${of}-fault`, Boolean(hint) && `${of}-hint`)
  const tied: Tied = {
    id: of,
    ...(described && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': true }),
    ...(required && { 'aria-required': true }),
  }
  return (
    <div className={classes('min-w-0', className)}>
      <label htmlFor={of} className="mb-1 block text-md font-semibold">
        {label} {required && <span className="font-normal text-quiet">(required)</span>}
      </label>
      {children(tied)}
      {error && (
        <p id={`${of}-fault`} role="alert" className="mt-1 flex gap-1.5 text-sm text-danger">
          <Icon of={CircleAlert} size={14} className="mt-[3px] shrink-0" />
          <span className="min-w-0">{error}</span>
        </p>
      )}
      {hint && (
        <p id={`${of}-hint`} className="mt-1 text-sm text-quiet">
          {hint}
        </p>
      )}
    </div>
  )
}
