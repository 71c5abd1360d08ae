import { expect, test } from 'vitest'
import { signInSnippetsFor, snippetsFor } from './snippets'

const URL_OF_SERVER = 'https://mcp.example.com/mcp'
const [cursor, vscode, claudeCode, claudeDesktop] = snippetsFor(URL_OF_SERVER)

test('Cursor: the link has the contents of mcp.json in base64', () => {
  const { searchParams, protocol } = new URL(cursor?.link?.href ?? '')
  expect(protocol).toBe('cursor:')
  expect(searchParams.get('name')).toBe('plumbline')
  const config = JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString())
  expect(config).toEqual({ url: URL_OF_SERVER, headers: { 'X-API-Key': `\${env:PLUMBLINE_KEY}` } })
  expect(JSON.parse(cursor?.code ?? '').mcpServers.plumbline).toEqual(config)
})

test('VS Code: the link asks for the key and never contains one', () => {
  const [scheme, json] = (vscode?.link?.href ?? '').split('?')
  expect(scheme).toBe('vscode:mcp/install')
  const config = JSON.parse(decodeURIComponent(json ?? ''))
  expect(config).toMatchObject({ name: 'plumbline', type: 'http', url: URL_OF_SERVER })
  expect(config.headers['X-API-Key']).toBe(`\${input:${config.inputs[0].id}}`)
  expect(config.inputs[0]).toMatchObject({ type: 'promptString', password: true })
})

test('Claude Code: one command, the key from the environment', () => {
  expect(claudeCode?.code).toContain(`claude mcp add --transport http plumbline ${URL_OF_SERVER}`)
  expect(claudeCode?.code).toContain('--header "X-API-Key: $PLUMBLINE_KEY"')
})

test('Claude Desktop: through mcp-remote, with plain http allowed only for a local server', () => {
  const argsOf = (code = '') => JSON.parse(code).mcpServers.plumbline.args
  expect(argsOf(claudeDesktop?.code)).toEqual([
    '-y',
    'mcp-remote',
    URL_OF_SERVER,
    '--header',
    `X-API-Key:\${PLUMBLINE_KEY}`,
  ])
  expect(argsOf(snippetsFor('http://10.0.0.5:3000/mcp')[3]?.code)).toContain('--allow-http')
  expect(argsOf(snippetsFor('http://localhost:3000/mcp')[3]?.code)).not.toContain('--allow-http')
})

test('for people who sign in no link and no file names a key; each link holds the address', () => {
  const snippets = signInSnippetsFor(URL_OF_SERVER)
  expect(JSON.stringify(snippets)).not.toMatch(/key/i)
  const [claude, cursorLink, vscodeLink] = snippets.flatMap(({ link }) => (link ? [link.href] : []))
  const asked = new URL(claude ?? '')
  expect([asked.host, asked.searchParams.get('modal')]).toEqual(['claude.ai', 'add-custom-connector'])
  expect(asked.searchParams.get('connectorUrl')).toBe(URL_OF_SERVER)
  const config = new URL(cursorLink ?? '').searchParams.get('config') ?? ''
  expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({ url: URL_OF_SERVER })
  const json = decodeURIComponent(vscodeLink?.split('?')[1] ?? '')
  expect(JSON.parse(json)).toEqual({ name: 'plumbline', type: 'http', url: URL_OF_SERVER })
})
