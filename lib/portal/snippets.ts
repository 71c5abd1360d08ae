import { KEY_VARIABLE } from './curl'

/** The way to connect one program: an install link if it has one, what to paste, and where. */
export type Snippet = { id: string; name: string; link?: { href: string; text: string }; steps: string; code: string }

const SERVER = 'plumbline'
const INPUT = 'plumbline-key'

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** Encodes JSON as base64 of its UTF-8, as Cursor's install link requires. */
const base64 = (value: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value)))).replaceAll('\n', '')

/** Returns Cursor's install link (cursor.com/docs/mcp/install-links). */
const cursorLink = (config: object) => ({
  href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER}&config=${encodeURIComponent(base64(config))}`,
  text: 'Add to Cursor',
})

/** Returns VS Code's install link (code.visualstudio.com/api/extension-guides/ai/mcp). */
const vscodeLink = (config: object) => ({
  href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: SERVER, ...config }))}`,
  text: 'Add to VS Code',
})

function cursor(url: string): Snippet {
  const config = { url, headers: { 'X-API-Key': `\${env:${KEY_VARIABLE}}` } }
  return {
    id: 'cursor',
    name: 'Cursor',
    link: cursorLink(config),
    steps: `Or add this to ~/.cursor/mcp.json. Cursor reads the key from ${KEY_VARIABLE} in its environment.`,
    code: json({ mcpServers: { [SERVER]: config } }),
  }
}

function vscode(url: string): Snippet {
  const server = { type: 'http', url, headers: { 'X-API-Key': `\${input:${INPUT}}` } }
  const inputs = [{ type: 'promptString', id: INPUT, description: 'Plumbline API key', password: true }]
  return {
    id: 'vscode',
    name: 'VS Code',
    link: vscodeLink({ ...server, inputs }),
    steps: 'Or add this to .vscode/mcp.json. VS Code asks for the key once and stores it securely.',
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
  // There is no space after the colon, because some shells between the app and npx would split the argument there.
  const args = ['-y', 'mcp-remote', url, '--header', `X-API-Key:\${${KEY_VARIABLE}}`]
  const server = { command: 'npx', args: isOpen ? [...args, '--allow-http'] : args, env: { [KEY_VARIABLE]: 'plb_…' } }
  return {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    steps:
      'Open Settings, Developer, Edit Config. Add this to claude_desktop_config.json, replace plb_… with your key, and restart the app. It needs Node.js.',
    code: json({ mcpServers: { [SERVER]: server } }),
  }
}

/** Returns how to connect each program to the MCP server at `url`. No snippet contains a key. */
export const snippetsFor = (url: string): Snippet[] => [cursor(url), vscode(url), claudeCode(url), claudeDesktop(url)]

const claudeLink = (url: string) =>
  `https://claude.ai/customize/connectors?${new URLSearchParams({ modal: 'add-custom-connector', connectorName: 'Plumbline', connectorUrl: url })}`

/** Returns how to connect each assistant to the MCP server at `url` for a person who signs in: no key is involved. */
export const signInSnippetsFor = (url: string): Snippet[] => [
  {
    id: 'claude',
    name: 'Claude',
    link: { href: claudeLink(url), text: 'Add to Claude' },
    steps:
      'Or open Settings, Connectors, Add custom connector, and paste the address. Then sign in here and choose what it may do.',
    code: url,
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    steps:
      'Turn on developer mode in Settings, Apps & Connectors, Advanced. Choose Create, paste the address, and choose OAuth. Then sign in here.',
    code: url,
  },
  {
    id: 'copilot',
    name: 'Copilot Studio',
    steps:
      'In the agent, open Tools, Add a tool, New tool, Model Context Protocol. Paste the address, and choose OAuth 2.0 with dynamic discovery. Then sign in here.',
    code: url,
  },
  {
    id: 'cursor-sign-in',
    name: 'Cursor',
    link: cursorLink({ url }),
    steps: 'Or add this to ~/.cursor/mcp.json. Cursor shows Needs login beside the server: click it, and sign in here.',
    code: json({ mcpServers: { [SERVER]: { url } } }),
  },
  {
    id: 'vscode-sign-in',
    name: 'VS Code',
    link: vscodeLink({ type: 'http', url }),
    steps: 'Or add this to .vscode/mcp.json and start the server. VS Code opens the browser: sign in here.',
    code: json({ servers: { [SERVER]: { type: 'http', url } } }),
  },
  {
    id: 'claude-code-sign-in',
    name: 'Claude Code',
    steps: 'Run this, then /mcp in Claude Code, choose plumbline, and sign in here.',
    code: `claude mcp add --transport http ${SERVER} ${url}`,
  },
]
