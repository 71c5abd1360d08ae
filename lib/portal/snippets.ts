import { KEY_VARIABLE } from './curl'

/** How one program is connected: a link it opens itself where it has one, what to paste, and where. */
export type Snippet = { id: string; name: string; link?: { href: string; text: string }; steps: string; code: string }

const SERVER = 'plumbline'
const INPUT = 'plumbline-key'

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** JSON as base64 of its UTF-8, as the link of Cursor wants it. */
const base64 = (value: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value)))).replaceAll('\n', '')

function cursor(url: string): Snippet {
  const config = { url, headers: { 'X-API-Key': `\${env:${KEY_VARIABLE}}` } }
  return {
    id: 'cursor',
    name: 'Cursor',
    link: {
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER}&config=${encodeURIComponent(base64(config))}`,
      text: 'Add to Cursor',
    },
    steps: `Or put this into ~/.cursor/mcp.json. Cursor reads the key from ${KEY_VARIABLE} in its environment.`,
    code: json({ mcpServers: { [SERVER]: config } }),
  }
}

function vscode(url: string): Snippet {
  const server = { type: 'http', url, headers: { 'X-API-Key': `\${input:${INPUT}}` } }
  const inputs = [{ type: 'promptString', id: INPUT, description: 'Plumbline API key', password: true }]
  const link = encodeURIComponent(JSON.stringify({ name: SERVER, ...server, inputs }))
  return {
    id: 'vscode',
    name: 'VS Code',
    link: { href: `vscode:mcp/install?${link}`, text: 'Add to VS Code' },
    steps: 'Or put this into .vscode/mcp.json. VS Code asks for the key once and keeps it safe.',
    code: json({ inputs, servers: { [SERVER]: server } }),
  }
}

const claudeCode = (url: string): Snippet => ({
  id: 'claude-code',
  name: 'Claude Code',
  steps: `Run this in a terminal where ${KEY_VARIABLE} holds the key.`,
  code: `claude mcp add --transport http ${SERVER} ${url} \\\n  --header "X-API-Key: $${KEY_VARIABLE}"`,
})

function claudeDesktop(url: string): Snippet {
  const { protocol, hostname } = new URL(url)
  const isOpen = protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname)
  // No space after the colon: some shells between the app and npx split the argument there.
  const args = ['-y', 'mcp-remote', url, '--header', `X-API-Key:\${${KEY_VARIABLE}}`]
  const server = { command: 'npx', args: isOpen ? [...args, '--allow-http'] : args, env: { [KEY_VARIABLE]: 'plb_…' } }
  return {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    steps:
      'Settings, Developer, Edit Config: put this into claude_desktop_config.json, with your key in place of plb_…, and restart the app. It needs Node.js.',
    code: json({ mcpServers: { [SERVER]: server } }),
  }
}

/** How each program is connected to the MCP server at `url`. No key stands in any of it. */
export const snippetsFor = (url: string): Snippet[] => [cursor(url), vscode(url), claudeCode(url), claudeDesktop(url)]
