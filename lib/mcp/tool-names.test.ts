import { expect, test } from 'vitest'
import { type ToolNames, toolNamesFor } from './tool-names'

/** The names that clients give when they connect, as their source or their users' logs show them. */
const CLIENTS: [name: string, names: ToolNames][] = [
  ['claude-ai', 'safe'],
  ['claude-code', 'safe'],
  ['Anthropic/ClaudeAI', 'safe'],
  ['openai-mcp', 'safe'],
  ['codex-mcp-client', 'safe'],
  ['Visual Studio Code', 'safe'],
  ['copilot-cli', 'safe'],
  ['cursor-vscode', 'safe'],
  ['windsurf-client', 'safe'],
  ['Cline', 'safe'],
  ['Zed', 'safe'],
  ['goose', 'safe'],
  ['gemini-cli-mcp-client', 'safe'],
  ['ai-sdk-mcp-client', 'safe'],
  ['langchain-mcp-adapters', 'safe'],
  ['mcp', 'safe'],
  ['mcp-use', 'safe'],
  ['mcporter', 'safe'],
  ['Mastra', 'safe'],
  ['openai-agents-mcp', 'safe'],
  ['claude-ai (via mcp-remote 0.1.30)', 'safe'],
  ['@n8n/n8n-nodes-langchain.mcpClientTool', 'safe'],
  ['inspector', 'own'],
  ['inspector-client', 'own'],
  ['mcp-inspector', 'own'],
  ['plumbline-console', 'own'],
]

test.each(CLIENTS)('%s is shown %s names; the address may ask for others', (name, names) => {
  expect(toolNamesFor({ url: '/mcp' }, name)).toBe(names)
  expect(toolNamesFor({ url: '/mcp?toolNames=own' }, name)).toBe('own')
  expect(toolNamesFor({ url: '/mcp?toolNames=safe' }, name)).toBe('safe')
})

test('a program that gives no name is shown the names of the specification', () => {
  expect(toolNamesFor({ url: '/mcp/rpc' }, null)).toBe('own')
})
