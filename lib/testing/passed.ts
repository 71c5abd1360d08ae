import { type Debugger, type Profiler, Session } from 'node:inspector/promises'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '../..')

/** The getter of an export. Compiling modules makes a function of each export; reading a constant of a file is not passing it. */
const EXPORT_GETTER = /^(\(\) ?=>|function ?\(\)) ?\{?\s*(return )?[\w$.]+;?\s*\}?$/

const pathOf = (url: string) => relative(root, url.startsWith('file:') ? fileURLToPath(url) : url).replace(/\?.*/, '')
const isOurs = (path: string) => /^(app|lib|db)\//.test(path) && !/\.test\.ts$|^lib\/testing\//.test(path)

/** Counts which of our files run functions while some work is done, by V8's own count of calls. */
export async function passedBy(work: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session()
  session.connect()
  const scripts = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }: { params: Debugger.ScriptParsedEventDataType }) => {
    scripts.set(params.scriptId, params.url)
  })
  try {
    await session.post('Debugger.enable')
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ours = result.filter(({ url }) => isOurs(pathOf(url)))
    const passed = await Promise.all(
      ours.map(async (script) => ((await hasRun(session, script)) ? [pathOf(script.url)] : [])),
    )
    return new Set(passed.flat())
  } finally {
    session.disconnect()
  }
}

async function hasRun(session: Session, { scriptId, functions }: Profiler.ScriptCoverage): Promise<boolean> {
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
  return functions.some(({ ranges: [whole] }) => {
    if (!whole || whole.count === 0) return false
    return !EXPORT_GETTER.test(scriptSource.slice(whole.startOffset, whole.endOffset))
  })
}
