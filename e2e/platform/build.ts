import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'

/** A function's description: what it runs, and where each of its files is in the project. */
const Described = z.object({
  handler: z.string(),
  useWebApi: z.boolean().default(false),
  filePathMap: z.record(z.string(), z.string()).default({}),
})

const Condition = z.object({ type: z.string(), key: z.string().optional(), value: z.string().optional() })
const Route = z.union([
  z.object({ handle: z.string() }),
  z.object({
    src: z.string(),
    dest: z.string().optional(),
    middlewarePath: z.string().optional(),
    has: z.array(Condition).optional(),
    missing: z.array(Condition).optional(),
  }),
])
const Config = z.object({ routes: z.array(Route), crons: z.array(z.object({ path: z.string() })) })
export type PlatformConfig = z.output<typeof Config>

/** A packaged application: the folder of each function by the path that it is deployed at, the static files, and how requests are led. */
export type Packaged = { functions: Map<string, string>; files: string; config: PlatformConfig; remove(): void }

function run(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string | undefined> = process.env,
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { NODE_ENV: 'production', ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error ?? ''}\n${stdout}\n${stderr}`)
  return stdout
}

/** Prints where this is, as minutes may pass between two steps. */
function tell(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} platform: ${text}`)
}

/** Runs a program that takes minutes, and prints each of its lines as it comes. */
async function runAloud(command: string, args: string[], cwd: string, env: Record<string, string | undefined>) {
  const child = spawn(command, args, {
    cwd,
    env: { NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', tell)
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done))
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}; its lines are above.`)
}

/** Copies what would be deployed: the files that git knows, as they are here. */
function copyProject(to: string): void {
  const known = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], process.cwd())
  for (const name of known.split('\0').filter((each) => each !== '' && existsSync(each)))
    cpSync(name, join(to, name), { recursive: true })
}

/** Settings of a project that nobody has: the command line asks its maker for them otherwise. */
const PROJECT = { projectId: 'prj_plumbline', orgId: 'team_plumbline', settings: { framework: 'nextjs' } }

/** Runs `vercel build` on a copy, with an empty home, so that no account is used. */
async function build(project: string, home: string): Promise<void> {
  const command = resolve('e2e/platform/node_modules/.bin/vercel')
  if (!existsSync(command))
    throw new Error('e2e/platform has no node_modules: `npm run test:all` installs the command line of the platform.')
  mkdirSync(join(project, '.vercel'))
  writeFileSync(join(project, '.vercel', 'project.json'), JSON.stringify(PROJECT))
  await runAloud(command, ['build', '--prod', '--yes'], project, {
    PATH: process.env.PATH,
    HOME: home,
    // Downloaded packages are shared with the installation of this project.
    npm_config_cache: run('npm', ['config', 'get', 'cache'], process.cwd()).trim(),
    // The platform installs them too; npm leaves them out where NODE_ENV is production.
    npm_config_include: 'dev',
    // Nobody connects; it says that functions need no embedded database.
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    // The command line asks for a newer one of itself otherwise.
    NO_UPDATE_NOTIFIER: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    VERCEL_TELEMETRY_DISABLED: '1',
    PLUMBLINE_BUILD_ONCE: '1',
  })
}

/** Puts a function's files together, each where its map says, as hard links within the same disk. */
function layOut(source: string, project: string, to: string): void {
  cpSync(source, to, { recursive: true, verbatimSymlinks: true })
  const { filePathMap } = Described.parse(JSON.parse(readFileSync(join(source, '.vc-config.json'), 'utf8')))
  for (const [name, from] of Object.entries(filePathMap)) {
    const [path, original] = [join(to, name), join(project, from)]
    mkdirSync(dirname(path), { recursive: true })
    if (lstatSync(original).isSymbolicLink()) cpSync(original, path, { verbatimSymlinks: true })
    else if (!existsSync(path)) linkSync(original, path)
  }
}

/** Lets nobody write below a folder: by its mount for root, whom permissions do not stop, and by them for everybody else. */
function makeReadOnly(folder: string): () => void {
  if (process.getuid?.() === 0) {
    run('mount', ['--bind', folder, folder], '/')
    run('mount', ['-o', 'remount,bind,ro', folder], '/')
    return () => run('umount', ['-l', folder], '/')
  }
  const all = [
    folder,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map((each) => join(each.parentPath, each.name)),
  ]
  for (const each of all) chmodSync(each, 0o555)
  return () => {
    for (const each of all) chmodSync(each, 0o755)
  }
}

/** Finds every `.func` of an output; several are links to one. */
function functionsIn(output: string): Map<string, string> {
  const root = join(output, 'functions')
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter(({ name }) => name.endsWith('.func'))
  return new Map(
    found.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [`/${relative(root, path).slice(0, -'.func'.length)}`, realpathSync(path)]
    }),
  )
}

/** Reads the output of a build, and lays its functions out in read-only folders. */
export function unpack(project: string, into: string): Omit<Packaged, 'remove'> & { release(): void } {
  const output = join(project, '.vercel', 'output')
  const places = new Map<string, string>()
  const functions = new Map<string, string>()
  for (const [path, source] of functionsIn(output)) {
    const place = places.get(source) ?? join(into, String(places.size))
    if (!places.has(source)) layOut(source, project, place)
    places.set(source, place)
    functions.set(path, place)
  }
  const config = Config.parse(JSON.parse(readFileSync(join(output, 'config.json'), 'utf8')))
  return { functions, files: join(output, 'static'), config, release: makeReadOnly(into) }
}

/** Builds this tree as the platform does and lays out what it deploys. Takes minutes. */
export async function packaged(): Promise<Packaged> {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-platform-'))
  const [project, home, into] = [join(root, 'project'), join(root, 'home'), join(root, 'functions')]
  for (const folder of [project, home, into]) mkdirSync(folder)
  const removeAll = () => rmSync(root, { recursive: true })
  try {
    tell('copies the project')
    copyProject(project)
    await build(project, home)
    tell('lays the functions out')
    const { release, ...rest } = unpack(project, into)
    return {
      ...rest,
      remove: () => {
        release()
        removeAll()
      },
    }
  } catch (error) {
    removeAll()
    throw error
  }
}
