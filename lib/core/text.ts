/**
 * Functions on text whose time grows with its length only. A pattern that looks for a run (`\s*,`, `\/+$`) begins again at each character
 * of the run, which takes the square of its length; these do the same without.
 */

/** A text in one line: each run of white space is one space, with none at the ends. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The parts of a text between marks, each without the white space around it; blank parts too. */
export const partsBetween = (text: string, mark: string | RegExp): string[] =>
  text.split(mark).map((part) => part.trim())

/** The lines of a text that are not blank, without the white space around them. */
export const linesOf = (text: string): string[] => partsBetween(text, '\n').filter(Boolean)

/** A text without the characters at its end that a pattern of one character matches. */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length
  while (end > 0 && character.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** A text without a mark at its end and the white space before it; unchanged where it does not end so. */
export function withoutMark(text: string, mark: RegExp): string {
  const found = mark.exec(text)
  return found ? text.slice(0, found.index).trimEnd() : text
}

/**
 * A whole number with commas between thousands, as `toLocaleString('en-US')` writes it, for texts that are made when a process starts: Node
 * takes ten milliseconds to load its tables of languages.
 */
export const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3}){1,6}$)/g, ',')

/** Returns a text as the database can take it: without halves of characters and NUL. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', ' ')
