import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@/lib/operations/registry'
import { APP_TYPE } from './server-info'

/** A view of a tool's result, as a resource: one document that needs nothing else. */
export type AppView = { uri: string; name: string; title: string; description: string; tool: string; file: string }

const view = (file: string, tool: string, title: string, description: string): AppView => ({
  uri: `ui://plumbline/${file}`,
  name: `${file}-view`,
  title,
  description,
  tool,
  file,
})

/** The views, in list order; `scripts/views.ts` builds their documents from `lib/mcp/views`. */
const appViews: readonly AppView[] = [
  view(
    'receivables',
    operations.getReceivablesAging.name,
    'Receivables',
    'What customers owe by age, drawn from get_receivables_aging.',
  ),
  view(
    'cash-flow',
    operations.getCashFlow.name,
    'Cash flow',
    'What was invoiced and received, drawn from get_cash_flow.',
  ),
  view(
    'project',
    operations.getProjectFinancials.name,
    'Project financials',
    'What of a project is due and paid, drawn from get_project_financials.',
  ),
  view('takeoff', operations.estimateTakeoff.name, 'Take-off', 'Quantities of materials, drawn from estimate_takeoff.'),
]

/** The folder of the built documents. */
export const builtViews = { folder: join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'views') }

/** Describes a view to a host: it loads nothing, connects to nothing, frames nothing and wants no permission. */
const UI = {
  csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
  prefersBorder: true,
}

const byTool = new Map(appViews.map((each) => [each.tool, each]))

/** Returns the metadata of a tool's view for its list entry; undefined for a tool without one. */
export function viewMetaOf(tool: string): { ui: { resourceUri: string } } | undefined {
  const found = byTool.get(tool)
  return found && { ui: { resourceUri: found.uri } }
}

/** The views as a list of resources has them. */
export const listedViews = appViews.map(({ uri, name, title, description }) => ({
  uri,
  name,
  title,
  description,
  mimeType: APP_TYPE,
  _meta: { ui: UI },
}))

const kept = new Map<string, string>()

/** A view's document, by its URI; undefined when no view has it. */
export function readView(uri: string) {
  const found = appViews.find((each) => each.uri === uri)
  if (!found) return undefined
  const path = join(/* turbopackIgnore: true */ builtViews.folder, `${found.file}.html`)
  const text = kept.get(path) ?? readFileSync(path, 'utf8')
  kept.set(path, text)
  return { uri, mimeType: APP_TYPE, text, _meta: { ui: UI } }
}
