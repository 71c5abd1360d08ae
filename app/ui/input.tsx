import type { ComponentProps } from 'react'
import { classes } from './classes'

const CONTROL =
  'w-full min-w-0 rounded-md border border-edge bg-raised px-2.5 py-1.5 text-md text-ink aria-invalid:border-danger aria-invalid:bg-danger-ground disabled:opacity-60 pointer-coarse:text-base'

/** A single-line input for text, numbers or dates. Its label comes from `Field`. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={classes(CONTROL, 'min-h-control', className)} {...rest} />
}

/**
 * Tells a password manager whose password a form is about, where the form asks for no user name. It is a text field that only its style
 * hides, because browsers ignore one of the type hidden.
 */
export const UserName = ({ email }: { email: string }) => (
  <input
    type="text"
    autoComplete="username"
    value={email}
    readOnly
    tabIndex={-1}
    aria-hidden="true"
    className="sr-only"
  />
)

/** A native select, which every device opens in its own way. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={classes(CONTROL, 'min-h-control', className)} {...rest} />
}

/** A multi-line text input. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={classes(CONTROL, className)} {...rest} />
}

type Labeled = { label: string; hint?: string | undefined }

/** A checkbox with its label; put several in a `Choices`. */
export const Check = (props: Omit<ComponentProps<'input'>, 'type'> & Labeled) => <Tick type="checkbox" {...props} />

function Tick({ label, hint, className, ...rest }: ComponentProps<'input'> & Labeled) {
  return (
    <label className={classes('flex items-baseline gap-2.5 py-1', className)}>
      <input className="accent-focus" {...rest} />
      <span>
        {label} {hint && <span className="text-sm text-quiet">{hint}</span>}
      </span>
    </label>
  )
}

/** A group of checkboxes or radio buttons with a legend. */
export function Choices({ legend, children }: { legend: string; children: React.ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {children}
    </fieldset>
  )
}

type RadiosProps<T extends string> = {
  legend: string
  name: string
  options: readonly (Labeled & { value: T })[]
  /** Reports whether an option is chosen: at the beginning, or with `onChoose` at every moment. */
  isChosen(value: T): boolean
  onChoose?: (value: T) => void
}

/** A choice of one, as radio buttons with a legend. */
export const Radios = <T extends string>({ legend, name, options, isChosen, onChoose }: RadiosProps<T>) => (
  <Choices legend={legend}>
    {options.map(({ value, label, hint }) => (
      <Tick
        key={value}
        type="radio"
        name={name}
        value={value}
        label={label}
        hint={hint}
        {...(onChoose
          ? { checked: isChosen(value), onChange: () => onChoose(value) }
          : { defaultChecked: isChosen(value) })}
      />
    ))}
  </Choices>
)
