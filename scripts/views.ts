// A part of `npm run build` and `npm run dev`: makes each view of MCP Apps (lib/mcp/views) one HTML document that needs nothing else, in
// dist/views/.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '..')

/** The views, by the name of their entry. */
const VIEWS = {
  receivables: 'Receivables',
  'cash-flow': 'Cash flow',
  project: 'Project financials',
  takeoff: 'Take-off',
}

const FOLDER = 'lib/mcp/views'

/** Leaves out Zod's error messages in forty languages, which are a third of what its users load; a view shows none of them. */
const oneLanguage: Plugin = {
  name: 'one-language',
  setup: ({ onResolve }) =>
    onResolve({ filter: /locales\/index\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/index\.js$/, 'en.js')),
    })),
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A document that may load nothing, send nothing, and run only the one script and use the one style that are in it. */
function documentOf(title: string, script: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<script>${script}</script>
</body>
</html>
`
}

/**
 * Builds the views into a folder.
 * @returns the sources they were built from, as paths from the project's folder
 */
export async function buildViews(folder = join(root, 'dist/views')): Promise<string[]> {
  const target = ['chrome123', 'firefox120', 'safari17.5']
  const options = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    logLevel: 'warning',
    target,
  } as const
  const scripts = await build({
    ...options,
    write: false,
    entryPoints: Object.keys(VIEWS).map((name) => `${FOLDER}/${name}.entry.ts`),
    outdir: folder,
    format: 'iife',
    platform: 'browser',
    charset: 'utf8',
    plugins: [oneLanguage],
  })
  const styles = await build({ ...options, write: false, entryPoints: [`${FOLDER}/style.css`] })
  const scriptOf = (name: string) =>
    scripts.outputFiles.find(({ path }) => path.endsWith(`${name}.entry.js`))?.text ?? ''
  mkdirSync(folder, { recursive: true })
  const style = styles.outputFiles.map(({ text }) => text).join('')
  for (const [name, title] of Object.entries(VIEWS))
    writeFileSync(join(folder, `${name}.html`), documentOf(title, scriptOf(name), style))
  const inputs = [...Object.keys(scripts.metafile.inputs), ...Object.keys(styles.metafile.inputs)]
  return inputs.filter((path) => !path.includes('node_modules'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildViews()
