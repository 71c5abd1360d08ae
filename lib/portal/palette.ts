/** What can be found: by its name, by what is said of it, and by other words for it. */
type Named = { name: string; about: string; words?: string }

/** Ranks how well a page matches the typed text: at the start of its name, of a word, or anywhere; undefined when it does not match. */
function rank({ name, about, words = '' }: Named, wanted: string): number | undefined {
  const [title, text] = [name.toLowerCase(), `${name} ${about} ${words}`.toLowerCase()]
  if (title.startsWith(wanted)) return 0
  if (text.split(/\W+/).some((word) => word.startsWith(wanted))) return 1
  return wanted.split(/\s+/).every((word) => text.includes(word)) ? 2 : undefined
}

/** Returns the pages that match the typed text, the best first; all pages, in their order, for an empty text. */
export function matching<Page extends Named>(pages: readonly Page[], text: string): Page[] {
  const wanted = text.trim().toLowerCase()
  if (!wanted) return [...pages]
  return pages
    .flatMap((page) => {
      const fit = rank(page, wanted)
      return fit === undefined ? [] : [{ page, fit }]
    })
    .sort((a, b) => a.fit - b.fit)
    .map(({ page }) => page)
}

/** Reports whether a text is the beginning of a page's name or whole words of it. Whoever types that means the page, whatever records are like it. */
export function isNamed({ name }: Pick<Named, 'name'>, text: string): boolean {
  const [title, wanted] = [name.toLowerCase(), text.trim().toLowerCase()]
  return title.startsWith(wanted) || ` ${title} `.includes(` ${wanted} `)
}
