import type { ComponentProps } from 'react'
import { classes } from './classes'

/**
 * The look: `main` for the page's main action, `plain` for other actions, `bare` inside rows and bars, `danger` for actions that cannot be
 * undone.
 */
export type ButtonLook = 'main' | 'plain' | 'bare' | 'danger'

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-md border font-medium no-underline select-none transition-colors aria-disabled:opacity-60 aria-disabled:cursor-default disabled:opacity-60 disabled:cursor-default'
const SIZES = {
  normal: 'min-h-control px-3.5 py-1.5 text-md',
  small: 'min-h-control-small px-2.5 py-1 text-md whitespace-nowrap',
}
const LOOKS: Record<ButtonLook, string> = {
  main: 'border-ink bg-ink text-ground hover:border-ink-lighter hover:bg-ink-lighter',
  plain: 'border-edge bg-transparent text-ink hover:border-ink hover:bg-sunken',
  bare: 'border-transparent bg-transparent text-ink hover:bg-sunken',
  danger: 'border-danger bg-transparent text-danger hover:bg-danger hover:text-ground',
}

type Look = { look?: ButtonLook; size?: keyof typeof SIZES }

/** Returns the classes of a button, for elements that look like one without being a `Button` (a summary, a file field's label). */
export const buttonClasses = ({ look = 'plain', size = 'normal' }: Look = {}): string =>
  classes(SHAPE, SIZES[size], LOOKS[look])

/**
 * A button; `type` defaults to `button`. A busy button gets `aria-disabled` and not `disabled`, so that it keeps the focus; its
 * handler must then do nothing.
 */
export function Button({ look, size, className, type = 'button', ...rest }: ComponentProps<'button'> & Look) {
  return (
    <button
      type={type}
      className={classes(buttonClasses({ ...(look && { look }), ...(size && { size }) }), className)}
      {...rest}
    />
  )
}

/** A link that looks like a button. It navigates and has no other effect. */
export function LinkButton({ look, size, className, children, ...rest }: ComponentProps<'a'> & Look) {
  return (
    <a className={classes(buttonClasses({ ...(look && { look }), ...(size && { size }) }), className)} {...rest}>
      {children}
    </a>
  )
}
