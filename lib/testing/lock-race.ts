import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const HEAD_START_MS = 15

/** Writes a lock file as a killed process leaves it. */
export function writeStaleLock(directory: string): void {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const gone = { pid, processStarted: '1', command: 'server.mjs', since: new Date().toISOString() }
  writeFileSync(join(directory, 'lock.json'), `${JSON.stringify(gone)}\n`)
}

/** Processes that race for the lock of a data directory. */
export class Race {
  private constructor(private readonly racers: ChildProcess[]) {}

  static async of(count: number): Promise<Race> {
    return new Race(await Promise.all(Array.from({ length: count }, () => Race.racer())))
  }

  private static async racer(): Promise<ChildProcess> {
    const racer = fork('lib/testing/lock-contender.ts', [], { execArgv: ['--import', 'tsx'] })
    await once(racer, 'message')
    return racer
  }

  private async tell(racer: ChildProcess, what: object | 'release'): Promise<unknown> {
    const answer = once(racer, 'message')
    racer.send(what)
    return (await answer)[0]
  }

  /** Makes all of them take a directory's lock at once. @returns the ones that hold it */
  private async run(directory: string): Promise<ChildProcess[]> {
    const at = Date.now() + HEAD_START_MS
    const held = await Promise.all(this.racers.map((racer) => this.tell(racer, { directory, at })))
    return this.racers.filter((_, i) => held[i] === true)
  }

  /** Returns how many get the directory of a killed process when all start at once. */
  async afterCrash(): Promise<number> {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-lock-'))
    writeStaleLock(directory)
    const holders = await this.run(directory)
    await Promise.all(holders.map((racer) => this.tell(racer, 'release')))
    rmSync(directory, { recursive: true })
    return holders.length
  }

  /** Does the same, but one of them holds the directory and is killed at that time. */
  async afterKill(): Promise<number> {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-lock-'))
    const [killed] = await this.run(directory)
    if (!killed) throw new Error('nobody took a directory that was free')
    this.racers.splice(this.racers.indexOf(killed), 1)
    const gone = once(killed, 'exit')
    killed.kill('SIGKILL')
    await gone
    const holders = await this.run(directory)
    await Promise.all(holders.map((racer) => this.tell(racer, 'release')))
    this.racers.push(await Race.racer())
    rmSync(directory, { recursive: true })
    return holders.length
  }

  end(): void {
    for (const racer of this.racers) racer.kill('SIGKILL')
  }
}
