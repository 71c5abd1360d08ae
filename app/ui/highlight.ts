/** A piece of code with its kind; `plain` has no color. */
export type Piece = { text: string; kind: 'plain' | 'string' | 'name' | 'word' | 'note' }

export type Language = 'shell' | 'json' | 'typescript' | 'python' | 'go' | 'php' | 'ruby' | 'csharp' | 'text'

/** A string, or from a quote that nothing closes to the end of its line: where a pattern fails late, each quote after it is read to the end again. */
const STRING = /"(?:[^"\\\n]|\\.)*\\?"?|'(?:[^'\\\n]|\\.)*\\?'?|`(?:[^`\\]|\\[\s\S])*\\?`?/
/** A comment between `/*` and the next end, or to the end of the code. */
const NOTE = /\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/
const CALLED = /\b[A-Za-z_]\w*(?=\()/
/** The grammar of languages whose comments begin with two slashes. */
const ofSlashes = (words: RegExp): [Piece['kind'], RegExp][] => [
  ['note', NOTE],
  ['string', STRING],
  ['word', words],
  ['name', CALLED],
]

/** The rules of each language in order; the first match at a position wins. */
const GRAMMARS: Record<Language, [Piece['kind'], RegExp][]> = {
  shell: [
    ['note', /(?<=^|\s)#.*/],
    ['string', STRING],
    ['name', /\$\{?\w+\}?/],
    ['word', /(?<=^|\s)--?[A-Za-z][\w-]*/],
  ],
  json: [
    ['string', STRING],
    ['word', /\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/],
  ],
  typescript: [
    ['note', NOTE],
    ['string', STRING],
    [
      'word',
      /\b(?:as|async|await|break|case|catch|class|const|continue|default|do|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|satisfies|switch|this|throw|true|try|type|typeof|undefined|while|yield)\b/,
    ],
    ['name', /(?<![\w$])[A-Za-z_$][\w$]*(?=\()/],
  ],
  python: [
    ['note', /#.*/],
    ['string', STRING],
    [
      'word',
      /\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)\b/,
    ],
    ['name', /\b[A-Za-z_]\w*(?=\()/],
  ],
  go: ofSlashes(/\b(?:defer|else|err|for|func|if|import|nil|package|panic|range|return|string|type|var)\b/),
  php: ofSlashes(/\b(?:array|echo|else|foreach|function|getenv|if|new|null|return|true|false)\b/),
  ruby: [
    ['note', /#.*/],
    ['string', STRING],
    ['word', /\b(?:class|def|do|else|end|false|if|nil|puts|require|return|true|unless)\b/],
    ['name', /\b[A-Za-z_]\w*(?=[(:])/],
  ],
  csharp: ofSlashes(/\b(?:await|class|else|false|if|int|new|null|return|string|true|using|var)\b/),
  text: [],
}

/** The greatest distance of a colon behind its string. */
const NEAR = 20

/** A string before a colon is a name, in JSON and in the responses that a terminal session shows; what nothing closes is no string. */
function kindOfString(text: string, code: string, end: number, language: Language): Piece['kind'] {
  if (text.length < 2 || text.at(-1) !== text[0]) return 'plain'
  const hasNames = (language === 'json' || language === 'shell') && text.startsWith('"')
  return hasNames && /^\s*:/.test(code.slice(end, end + NEAR)) ? 'name' : 'string'
}

/** Splits code into pieces that join to the original. It only finds strings, keywords, names and comments, because a parser would be too large. */
export function highlight(code: string, language: Language): Piece[] {
  const grammar = GRAMMARS[language]
  if (grammar.length === 0) return [{ text: code, kind: 'plain' }]
  const any = new RegExp(grammar.map(([, { source }]) => `(${source})`).join('|'), 'gm')
  const pieces: Piece[] = []
  let end = 0
  for (const match of code.matchAll(any)) {
    if (match.index > end) pieces.push({ text: code.slice(end, match.index), kind: 'plain' })
    const at = match.slice(1).findIndex((group) => group !== undefined)
    const kind = grammar[at]?.[0] ?? 'plain'
    end = match.index + match[0].length
    pieces.push({ text: match[0], kind: kind === 'string' ? kindOfString(match[0], code, end, language) : kind })
  }
  if (end < code.length) pieces.push({ text: code.slice(end), kind: 'plain' })
  return pieces
}

/** Returns the language of a Markdown fence; `text` for languages without a grammar here. */
export function languageOf(fence: string): Language {
  if (/^(sh|bash|shell|console|curl)$/.test(fence)) return 'shell'
  if (/^jsonc?$/.test(fence)) return 'json'
  if (/^(ts|tsx|js|mjs|typescript|javascript)$/.test(fence)) return 'typescript'
  return /^(py|python)$/.test(fence) ? 'python' : 'text'
}
