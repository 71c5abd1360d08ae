/** The elements that views are made of. */
type Tag =
  | 'main'
  | 'header'
  | 'section'
  | 'h1'
  | 'h2'
  | 'p'
  | 'div'
  | 'span'
  | 'strong'
  | 'ul'
  | 'li'
  | Table
  | 'dl'
  | 'dt'
  | 'dd'
type Table = 'table' | 'caption' | 'thead' | 'tbody' | 'tfoot' | 'tr' | 'th' | 'td'

/** The attributes an element may carry: no handlers, no addresses, no markup. `share` is its part of a whole, 0 to 1, for bars. */
export type Attributes = {
  class?: string
  role?: 'img' | 'status' | 'alert'
  label?: string
  scope?: 'col' | 'row'
  share?: number
}

/**
 * A part of a view as plain data, so that views are functions without a browser. Whatever is text in it becomes a text node: names and
 * notes are strangers' text, and no view can write markup.
 */
export type Piece = string | { tag: Tag; attributes: Attributes; children: readonly Piece[] }

/** A part of a view. What is undefined or false is left out. */
export const el = (tag: Tag, attributes: Attributes, ...children: readonly (Piece | undefined | false)[]): Piece => ({
  tag,
  attributes,
  children: children.filter((child) => child !== undefined && child !== false),
})

/** Makes a part of a view real. */
export function made(piece: Piece, document: Document): Node {
  if (typeof piece === 'string') return document.createTextNode(piece)
  const { tag, attributes, children } = piece
  const element = document.createElement(tag)
  const { class: name, role, label, scope, share } = attributes
  if (name !== undefined) element.className = name
  if (role !== undefined) element.setAttribute('role', role)
  if (label !== undefined) element.setAttribute('aria-label', label)
  if (scope !== undefined) element.setAttribute('scope', scope)
  if (share !== undefined) element.style.setProperty('--share', String(Math.min(1, Math.max(0, share))))
  element.append(...children.map((child) => made(child, document)))
  return element
}

/** The text of a part of a view, one line for each text in it. */
export const textOf = (piece: Piece): string =>
  typeof piece === 'string' ? piece : piece.children.map(textOf).join('\n')
