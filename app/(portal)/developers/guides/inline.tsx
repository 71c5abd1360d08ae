import type { MarkedToken, Token } from 'marked'
import type { ReactNode } from 'react'
import { known } from '@/lib/guides/markdown'

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
export const Inline = ({ tokens }: { tokens: readonly Token[] }): ReactNode => known(tokens).map(one)
