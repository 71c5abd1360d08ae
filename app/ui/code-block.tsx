import { classes, PRE, SHORT } from './classes'
import { CopyButton } from './copy.client'
import { highlight, type Language, type Piece } from './highlight'

const COLORS: Record<Piece['kind'], string | undefined> = {
  plain: undefined,
  string: 'text-code-string',
  name: 'text-code-name',
  word: 'text-code-word',
  note: 'text-code-note',
}

type Props = {
  code: string
  language?: Language
  /** The accessible name: "Request", "Sync in Python". */
  label: string
  /** False for a terminal session, which is not meant to be copied as a whole. */
  copy?: boolean
  /** True when it is shown at full height, however long it is. */
  whole?: boolean
}

/** A scrolling box of code that is reachable by keyboard, highlighted on the server, with a copy button. */
export function CodeBlock({ code, language = 'text', label, copy = true, whole = false }: Props) {
  return (
    <div className="group relative min-w-0">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1). */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, this is text. */}
      <pre tabIndex={0} role="group" aria-label={label} className={classes(PRE, !whole && SHORT)}>
        <code>
          {highlight(code, language).map(({ text, kind }, at) =>
            kind === 'plain' ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change have no other name.
              <span key={at} className={COLORS[kind]}>
                {text}
              </span>
            ),
          )}
        </code>
      </pre>
      {copy && (
        <div className="mt-2">
          <CopyButton text={code} label="Copy" of={label} />
        </div>
      )}
    </div>
  )
}
