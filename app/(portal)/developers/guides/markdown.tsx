import type { MarkedToken, Token, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { CodeBlock } from '@/app/ui/code-block'
import { DataTable } from '@/app/ui/data-table'
import { languageOf } from '@/app/ui/highlight'
import { LanguageTabs } from '@/app/ui/language-tabs.client'
import { FIRST_REQUEST } from '@/lib/guides/guides'
import { anchorOf, fenceOf, known, parseMarkdown, plainText } from '@/lib/guides/markdown'
import type { SampleLanguage } from '@/lib/portal/language'
import { SAMPLES } from '@/lib/portal/request-samples'
import { FirstRequest } from './first-request.client'

/** Guides link to each other as files; this returns the URL of the page instead. */
const hrefOf = (href: string): string => href.replace(/^([\w-]+)\.md(#.*)?$/, '/developers/guides/$1$2')

function one(token: MarkedToken, key: number): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong key={key} className="font-semibold">
          <Inline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em key={key}>
          <Inline tokens={token.tokens} />
        </em>
      )
    case 'codespan':
      return (
        <code key={key} className="rounded-sm bg-sunken px-1 font-mono">
          {token.text}
        </code>
      )
    case 'link':
      return (
        <a key={key} href={hrefOf(token.href)}>
          <Inline tokens={token.tokens} />
        </a>
      )
    case 'br':
      return <br key={key} />
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? <Inline key={key} tokens={token.tokens} /> : token.text
    default:
      throw new Error(`Guides do not support ${token.type} within a line: ${token.raw}`)
  }
}

/** Renders the tokens of one line of Markdown. */
const Inline = ({ tokens }: { tokens: readonly Token[] }): ReactNode => known(tokens).map(one)

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
    head: plainText(head.tokens),
    kind: 'parts' as const,
    parts: (row: Tokens.TableCell[]) => <Inline tokens={row[at]?.tokens ?? []} />,
  }))
  return (
    <div className="my-4">
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.map(({ text }) => text).join('|')}
      />
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
      throw new Error(`Guides do not support ${token.type}: ${token.raw}`)
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

/** The tab of each fence language. */
const TABS: Record<string, SampleLanguage> = { sh: 'curl', ts: 'typescript', python: 'python' }

const tabOf = (token: MarkedToken): SampleLanguage | undefined =>
  token.type === 'code' ? TABS[fenceOf(token.lang).language] : undefined

/** Groups consecutive code blocks in different languages: they are the same program and become tabs. */
function programsOf(tokens: readonly MarkedToken[]): MarkedToken[][] {
  const groups: MarkedToken[][] = []
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = groups.at(-1)
    const tab = tabOf(token)
    const goesOn = tab !== undefined && last?.every((each) => ![undefined, tab].includes(tabOf(each)))
    if (last && goesOn) last.push(token)
    else groups.push([token])
  }
  return groups
}

function Program({ tokens, chosen }: { tokens: MarkedToken[]; chosen: SampleLanguage | undefined }) {
  const tabs = tokens.flatMap((token) => {
    const id = tabOf(token)
    return id && token.type === 'code' ? [{ id, name: SAMPLES[id].name, content: <Code {...token} /> }] : []
  })
  return (
    <div className="my-4">
      <LanguageTabs label="Languages" tabs={tabs} chosen={chosen} />
    </div>
  )
}

function Blocks({ tokens, chosen }: { tokens: readonly MarkedToken[]; chosen?: SampleLanguage | undefined }) {
  const shown = tokens.filter(({ type }) => type !== 'space')
  const captions = new Map(captionsOf(shown).map((caption, at) => [shown[at], caption]))
  return programsOf(shown).map((group, at) => {
    const [token] = group
    if (!token) return null
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change, and its blocks have no other key.
    if (group.length > 1) return <Program key={at} tokens={group} chosen={chosen} />
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    return <Block key={at} token={token} caption={captions.get(token) ?? ''} />
  })
}

/** Renders a guide's Markdown as elements, never as HTML; `chosen` is the reader's language. */
export const Markdown = ({ text, chosen }: { text: string; chosen: SampleLanguage | undefined }) => (
  <Blocks tokens={parseMarkdown(text)} chosen={chosen} />
)
