import type { MarkedToken, Tokens } from 'marked'
import { CodeBlock } from '@/app/ui/code-block'
import { languageOf } from '@/app/ui/highlight'
import { Table } from '@/app/ui/table'
import { FIRST_REQUEST } from '@/lib/site/guides/guides'
import { anchorOf, fenceOf, known, parseMarkdown, plainText } from '@/lib/site/guides/markdown'
import { FirstRequest } from './first-request.client'
import { Inline } from './inline'

const LANGUAGES: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  http: 'HTTP',
}

function Code({ lang, text }: Tokens.Code) {
  const { language, title } = fenceOf(lang)
  return (
    <figure className="my-4">
      <figcaption className="mb-1.5 flex justify-between gap-3 text-sm text-quiet">
        <span>{title}</span>
        <span className="font-mono">{LANGUAGES[language] ?? language}</span>
      </figcaption>
      <CodeBlock code={text} language={languageOf(language)} label={title} />
    </figure>
  )
}

function Heading({ depth, tokens }: Tokens.Heading) {
  const text = plainText(tokens)
  const anchor = anchorOf(text)
  const Level = depth === 2 ? 'h2' : depth === 3 ? 'h3' : 'h4'
  return (
    <Level id={anchor} className="group mt-8 mb-2 scroll-mt-4">
      <Inline tokens={tokens} />{' '}
      <a
        href={`#${anchor}`}
        aria-label={`Link to “${text}”`}
        className="text-quiet no-underline opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        #
      </a>
    </Level>
  )
}

function List({ ordered, items }: Tokens.List) {
  const Kind = ordered ? 'ol' : 'ul'
  return (
    <Kind className={`my-3 grid max-w-prose gap-1.5 ps-6 ${ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map((item) => (
        <li key={item.raw}>
          <Blocks tokens={known(item.tokens)} />
        </li>
      ))}
    </Kind>
  )
}

function Rows({ header, rows, caption }: Tokens.Table & { caption: string }) {
  const columns = header.map((head, at) => ({
    name: head.text || String(at),
    head: <Inline tokens={head.tokens} />,
    cell: (row: Tokens.TableCell[]) => <Inline tokens={row[at]?.tokens ?? []} />,
  }))
  return (
    <div className="my-4">
      <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row.map(({ text }) => text).join('|')} />
    </div>
  )
}

function Block({ token, caption }: { token: MarkedToken; caption: string }) {
  switch (token.type) {
    case 'heading':
      return <Heading {...token} />
    case 'paragraph':
      if (token.text === FIRST_REQUEST)
        return <FirstRequest since={new Date().toISOString()} signIn="/sign-in?next=/developers/guides/quick-start" />
      return (
        <p className="my-3 max-w-prose">
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'text':
      return <Inline tokens={token.tokens ?? [token]} />
    case 'code':
      return <Code {...token} />
    case 'list':
      return <List {...token} />
    case 'table':
      return <Rows {...token} caption={caption} />
    case 'space':
      return null
    default:
      throw new Error(`Guides hold no ${token.type}: ${token.raw}`)
  }
}

/** Returns each table's accessible name: the heading above it, with a number from the second table on. */
function captionsOf(tokens: readonly MarkedToken[]): string[] {
  let heading = 'Table'
  const seen = new Map<string, number>()
  return tokens.map((token) => {
    if (token.type === 'heading') heading = plainText(token.tokens)
    if (token.type !== 'table') return ''
    const count = (seen.get(heading) ?? 0) + 1
    seen.set(heading, count)
    return count === 1 ? heading : `${heading} (${count})`
  })
}

function Blocks({ tokens }: { tokens: readonly MarkedToken[] }) {
  const captions = captionsOf(tokens)
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text that does not change have no other name.
  return tokens.map((token, at) => <Block key={at} token={token} caption={captions[at] ?? ''} />)
}

/** Renders a guide's Markdown as elements. Never inserts it as HTML. */
export const Markdown = ({ text }: { text: string }) => <Blocks tokens={parseMarkdown(text)} />
