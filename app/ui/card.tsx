import { type ReactNode, useId } from 'react'
import { Breadcrumb, type Crumb } from './breadcrumb'
import { classes } from './classes'

type Props = { title?: ReactNode; text?: ReactNode; actions?: ReactNode; className?: string; children?: ReactNode }

/** A raised box. With a title it is a named section of the page. */
export function Card({ title, text, actions, className, children }: Props) {
  const id = useId()
  const Box = title ? 'section' : 'div'
  return (
    <Box
      className={classes('min-w-0 rounded-lg border border-line bg-raised p-5 [--surface:var(--raised)]', className)}
      {...(title && { 'aria-labelledby': id })}
    >
      {(title || actions) && (
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-40">
            {title && (
              <h2 id={id} className="text-lg">
                {title}
              </h2>
            )}
            {text && <p className="mt-1 max-w-prose text-quiet">{text}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </Box>
  )
}

type HeadProps = { title: ReactNode; text?: ReactNode; actions?: ReactNode; under?: Crumb[] }

/** The heading of a page: the pages it is `under`, its only `h1`, a sentence, and the page's actions. */
export function PageHead({ title, text, actions, under }: HeadProps) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {under && <Breadcrumb pages={under} />}
        <h1>{title}</h1>
        {text && <p className="mt-2 max-w-2xl text-quiet">{text}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
    </div>
  )
}
