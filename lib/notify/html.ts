const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter)

/** Returns a line as HTML. Our own addresses stand alone on their line; what strangers wrote beside other words stays text. */
const lineOf = (line: string): string =>
  /^https?:\/\/[^\s"<>]+$/.test(line) ? `<a href="${escaped(line)}">${escaped(line)}</a>` : escaped(line)

/** Returns an email's text as simple HTML: its paragraphs, and a link for each line that is an address. */
export function htmlOf(text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').map(lineOf).join('<br>\n')}</p>`)
  return `<!doctype html>\n<html lang="en"><body style="font: 16px/1.5 sans-serif; max-width: 36em">\n${paragraphs.join('\n')}\n</body></html>\n`
}
