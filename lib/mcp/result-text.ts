import type { ToolResult } from './call-tool'
import type { RpcId } from './fault'

const isToolResult = (result: object): result is ToolResult => 'structuredContent' in result

/** The texts of results that are given again and again, such as a list of tools. */
const kept = new WeakMap<object, string>()

function keptText(result: object): string {
  const text = kept.get(result) ?? JSON.stringify(result)
  kept.set(result, text)
  return text
}

/**
 * The answer to a request as text. A frozen result is written once. A tool's result has its data twice, as text for a model and as data for
 * programs; the text is the data's JSON already, so it is written a second time as it is, amounts with all their digits.
 */
export function resultText(id: RpcId, result: unknown): string {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  if (result instanceof Object && Object.isFrozen(result)) return `${head}${keptText(result)}}`
  if (!isToolResult(Object(result))) return `${head}${JSON.stringify(result)}}`
  const { content, _meta } = result as ToolResult
  return `${head}${JSON.stringify({ content, _meta }).slice(0, -1)},"structuredContent":${content[0]?.text}}}`
}
