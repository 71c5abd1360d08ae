import { createHash } from 'node:crypto'
import { SERVICE } from '@/lib/core/service'
import { type Rendered, rendered } from '@/lib/http/document'
import type { Tool } from '../tools'
import { examplesOf } from './connection'
import type { Live } from './live'
import { PUBLIC_PLACES, type Site } from './site'

const STYLE = `:root{color-scheme:light dark;--ground:light-dark(#fbfaf8,#14161a);--ink:light-dark(#1d2026,#eceef2);--quiet:light-dark(#565d6b,#a3abb9);--line:light-dark(#e2e0db,#30353f);--brand:light-dark(#b3401c,#ff9a70);--focus:light-dark(#1d5fa8,#7db8f5)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:48rem;padding:clamp(1.25rem,4vw,3rem);background:var(--ground);color:var(--ink);font:1rem/1.6 ui-sans-serif,system-ui,"Segoe UI",Roboto,Arial,sans-serif}
h1{line-height:1.2}h2{margin-top:2.5rem}
a{color:inherit;text-decoration-color:var(--brand);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--focus);outline-offset:3px}
code,pre{font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{padding:1rem;border:1px solid var(--line);white-space:pre-wrap}
dt{font-weight:600}dd{margin:0 0 .75rem;color:var(--quiet)}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const html = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const list = (entries: [term: string, text: string][]) =>
  `<dl>\n${entries.map(([term, text]) => `<dt>${term}</dt><dd>${html(text)}</dd>`).join('\n')}\n</dl>`

/** `GET /` of the MCP host as a page: where to connect, a call to try, the tools, the documents. */
export function homePage(site: Site, tools: readonly Tool[], live: Live): Rendered {
  const { call_a_tool, list_tools } = examplesOf(site, tools)
  const places = Object.values(PUBLIC_PLACES).filter(({ path }) => path !== '/')
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${SERVICE.name} MCP server</title>
<meta name="description" content="${html(SERVICE.description)}">
<link rel="icon" href="/icon.svg">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${SERVICE.name} MCP server</h1>
<p>${html(SERVICE.description)}. Version ${SERVICE.version}, ${live.status}.</p>
<h2>Connect</h2>
<p>Streamable HTTP at <code>${html(site.mcp)}</code>, with a key of the contractor’s administrator in <code>X-API-Key</code>.</p>
<pre><code>${html((call_a_tool ?? list_tools).curl)}</code></pre>
<h2>Tools</h2>
${list(tools.map(({ name, title }) => [`<code>${html(name)}</code>`, title]))}
<h2>Documents</h2>
${list(places.map(({ path, about }) => [`<a href="${path}">${path}</a>`, about]))}
</main>
</body>
</html>
`
  return rendered('text/html; charset=utf-8', page, {
    cacheable: live.status === 'healthy',
    headers: { 'content-security-policy': POLICY },
  })
}
