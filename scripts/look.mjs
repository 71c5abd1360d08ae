// `npm run look`: every page at four widths in both themes, measured and kept as pictures in artifacts/look, with a contact sheet.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { root } from './ready.mjs'
import { requireBrowser } from './services.mjs'

const FOLDER = join(root, 'artifacts/look')
const PICTURE = /^(.+)-(360|768|1280|1920)-(light|dark)\.png$/

const browserPath = requireBrowser()
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const { status } = spawnSync(
  'npx',
  [
    '--no-install',
    'playwright',
    'test',
    'e2e/look-pages.spec.ts',
    'e2e/look-connections.spec.ts',
    '--project=server-pglite',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, LOOK_PICTURES: FOLDER } },
)

/** The pictures by page, each row from narrow to wide, light before dark. */
function sheet() {
  const pages = new Map()
  for (const file of readdirSync(FOLDER).sort()) {
    const [, page, width, theme] = PICTURE.exec(file) ?? []
    if (page) pages.set(page, [...(pages.get(page) ?? []), { file, width: Number(width), theme }])
  }
  const rows = [...pages].map(([page, shots]) => {
    const order = shots.toSorted((a, b) => b.theme.localeCompare(a.theme) || a.width - b.width)
    const figures = order.map(
      ({ file, width, theme }) =>
        `<a href="${file}"><img src="${file}" alt="${page}, ${width} px, ${theme}"><span>${width} ${theme}</span></a>`,
    )
    return `<h2>${page}</h2><div>${figures.join('')}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Every page</title><style>
    body { font: 14px system-ui; margin: 24px; background: #777; color: #fff }
    div { display: flex; gap: 8px; align-items: flex-start } a { color: inherit; width: 12.5% }
    img { width: 100%; height: 260px; object-fit: cover; object-position: top; display: block }
  </style>${rows.join('\n')}`
}

writeFileSync(join(FOLDER, 'index.html'), sheet())
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1600, height: 900 } })
await page.goto(`file://${join(FOLDER, 'index.html')}`)
await page.screenshot({ path: join(FOLDER, 'contact-sheet.png'), fullPage: true })
await browser.close()
process.stdout.write(`Pictures: ${FOLDER}/index.html and contact-sheet.png\n`)
process.exit(status ?? 1)
