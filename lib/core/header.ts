import { partsBetween } from './text'

/** The part of a header that is read, in characters: browsers and libraries send a tenth of it, and Node takes 16 KB. */
const LONGEST_HEADER = 1_000

/** A header as far as it is read; blank where there is none. Every header that is taken apart is cut here first. */
export const cutHeader = (header: string | null | undefined): string => (header ?? '').slice(0, LONGEST_HEADER)

/** The elements of a header that is a list (RFC 9110, 5.6.1). */
export const elementsOf = (header: string | null | undefined): string[] => partsBetween(cutHeader(header), ',')

/** An element's value and its parameters, such as `text/html` and `q=0.5`, in lower case. */
export function readElement(element: string): { value: string; parameters: string[] } {
  const [value = '', ...parameters] = partsBetween(element.toLowerCase(), ';')
  return { value, parameters }
}

/** The media type of a Content-Type, in lower case and without parameters; blank where there is none. */
export const mediaTypeOf = (header: string | null | undefined): string => readElement(cutHeader(header)).value
