'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { CopyButton } from './copy.client'
import { Field } from './field'
import { Input } from './input'

type Props = { label: string; secret: string; hint?: string; hasFocus?: boolean }

/**
 * A secret that is shown only once: masked until revealed, and copyable without revealing it. It is never in a URL and never stored.
 * With `hasFocus` it takes focus when it appears.
 */
export function SecretReveal({ label, secret, hint, hasFocus = false }: Props) {
  const [isShown, setShown] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [hasFocus])
  return (
    <Field label={label} hint={hint ?? 'It is shown only once. Copy it now and store it with your secrets.'}>
      {(tied) => (
        <>
          <Input
            {...tied}
            ref={field}
            readOnly
            type={isShown ? 'text' : 'password'}
            value={secret}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm/relaxed"
            onFocus={({ target }) => target.select()}
          />
          <noscript>
            <code className="mt-2 block wrap-anywhere">{secret}</code>
          </noscript>
          <div className="mt-2 flex flex-wrap gap-2 noscript:hidden">
            <CopyButton text={secret} label={`Copy ${label}`} />
            <Button size="small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide' : 'Show'}
            </Button>
          </div>
        </>
      )}
    </Field>
  )
}
