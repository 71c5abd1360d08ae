type Named = { name: string; about: string }

/** How well a page fits what was typed: by the beginning of its name, of a word, anywhere; undefined where not at all. */
function rank({ name, about }: Named, wanted: string): number | undefined {
  const [title, text] = [name.toLowerCase(), `${name} ${about}`.toLowerCase()]
  if (title.startsWith(wanted)) return 0
  if (text.split(/\W+/).some((word) => word.startsWith(wanted))) return 1
  return wanted.split(/\s+/).every((word) => text.includes(word)) ? 2 : undefined
}

/** The pages that fit what was typed, the best first, else in their own order; all of them for nothing. */
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
