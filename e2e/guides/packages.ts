import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from './programs'

/** Runs a program that must succeed. */
async function must(command: string, args: string[], cwd?: string): Promise<string> {
  const { code, out, err } = await run(command, args, process.env, cwd)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${out}\n${err}`)
  return out.trim()
}

let built: string | undefined
/** A folder for the packages of this process. It goes with the process. */
function places(): string {
  if (built) return built
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-packages-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  built = folder
  return folder
}

const only = (folder: string, end: string): string => {
  const [name] = readdirSync(folder).filter((each) => each.endsWith(end))
  if (!name) throw new Error(`no ${end} was built in ${folder}`)
  return join(folder, name)
}

/** Packs the TypeScript client and installs it in a folder, as a reader of the guide does. Neither needs a network. */
export async function installTypeScriptClient(folder: string): Promise<void> {
  await must('npm', ['pack', '--silent', '--pack-destination', places()], resolve('clients/typescript'))
  const options = ['--offline', '--no-audit', '--no-fund', '--no-save', '--silent', '--prefix', folder]
  await must('npm', ['install', ...options, only(places(), '.tgz')], folder)
}

/**
 * Builds the wheel of the Python client and installs it in an environment under a folder. It is unpacked, which is what installing a wheel
 * of Python alone means, because a machine may have no pip. @returns the environment's interpreter
 */
export async function installPythonClient(folder: string): Promise<string> {
  const environment = join(folder, 'environment')
  await must('python3', ['-m', 'venv', '--without-pip', environment])
  await must('python3', [resolve('clients/python/build_wheel.py'), places()])
  const python = join(environment, 'bin/python')
  const site = await must(python, ['-I', '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'])
  mkdirSync(site, { recursive: true })
  await must('python3', ['-m', 'zipfile', '-e', only(places(), '.whl'), site])
  return python
}
