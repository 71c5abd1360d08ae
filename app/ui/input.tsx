import type { ComponentProps } from 'react'
import { classes } from './classes'

const CONTROL =
  'w-full min-w-0 rounded-md border border-edge bg-ground px-2.5 py-1.5 leading-relaxed text-ink aria-invalid:border-bad disabled:opacity-60'

/** A single-line input for text, numbers or dates. Its label comes from `Field`. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={classes(CONTROL, 'min-h-10', className)} {...rest} />
}

/** A native select, which every device opens in its own way. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={classes(CONTROL, 'min-h-10', className)} {...rest} />
}

/** A multi-line text input. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={classes(CONTROL, className)} {...rest} />
}

type CheckProps = Omit<ComponentProps<'input'>, 'type'> & {
  type?: 'checkbox' | 'radio'
  label: string
  hint?: string | undefined
}

/** A checkbox or radio button with its label; put several in a `Choices`. */
export function Check({ type = 'checkbox', label, hint, className, ...rest }: CheckProps) {
  return (
    <label className={classes('flex items-baseline gap-2.5 py-1', className)}>
      <input type={type} className="accent-accent" {...rest} />
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
