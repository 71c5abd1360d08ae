/** A piece of code with its kind; `plain` has no color. */
export type Piece = { text: string; kind: 'plain' | 'string' | 'name' | 'word' | 'note' }

export type Language = 'shell' | 'json' | 'typescript' | 'python' | 'go' | 'php' | 'ruby' | 'csharp' | 'text'

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/
const words = (list: string) => new RegExp(`\\b(?:${list})\\b`)
const CALLED = /\b[A-Za-z_]\w*(?=\()/
/** Grammar of languages whose comments begin with two slashes. */
const ofSlashes = (list: string): [Piece['kind'], RegExp][] => [
  ['note', /\/\/.*|\/\*[\s\S]*?\*\//],
  ['string', STRING],
  ['word', words(list)],
  ['name', CALLED],
]

/** The rules of each language in order; the first match at a position wins. */
const GRAMMARS: Record<Language, [Piece['kind'], RegExp][]> = {
  shell: [
    ['note', /(?<=^|\s)#.*/],
    // A terminal session also shows responses.
    ['name', /"(?:[^"\\\n]|\\.)*"(?=:)/],
    ['string', STRING],
    ['name', /\$\{?\w+\}?/],
    ['word', /(?<=^|\s)--?[A-Za-z][\w-]*/],
  ],
  json: [
    ['name', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
    ['string', STRING],
    ['word', /\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/],
  ],
  typescript: [
    ['note', /\/\/.*|\/\*[\s\S]*?\*\//],
    ['string', STRING],
    [
      'word',
      words(
        'as|async|await|break|case|catch|class|const|continue|default|do|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|satisfies|switch|this|throw|true|try|type|typeof|undefined|while|yield',
      ),
    ],
    ['name', /\b[A-Za-z_$][\w$]*(?=\()/],
  ],
  python: [
    ['note', /#.*/],
    ['string', STRING],
    [
      'word',
      words(
        'and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield',
      ),
    ],
    ['name', /\b[A-Za-z_]\w*(?=\()/],
  ],
  go: ofSlashes('defer|else|err|for|func|if|import|nil|package|panic|range|return|string|type|var'),
  php: ofSlashes('array|echo|else|foreach|function|getenv|if|new|null|return|true|false'),
  ruby: [
    ['note', /#.*/],
    ['string', STRING],
    ['word', words('class|def|do|else|end|false|if|nil|puts|require|return|true|unless')],
    ['name', /\b[A-Za-z_]\w*(?=[(:])/],
  ],
  csharp: ofSlashes('await|class|else|false|if|int|new|null|return|string|true|using|var'),
  text: [],
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
    pieces.push({ text: match[0], kind: grammar[at]?.[0] ?? 'plain' })
    end = match.index + match[0].length
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
