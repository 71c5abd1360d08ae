import { type Driver, type Entry, type Home, launch, makeHome, type Running } from './running'

/** A service as in production: two processes over one Postgres, or one process over PGlite, which only one process can open. */
export class Processes {
  private running: Running[] = []

  private constructor(
    private readonly entry: Entry,
    private readonly driver: Driver,
    readonly home: Home,
  ) {}

  static async prepare(entry: Entry, driver: Driver): Promise<Processes> {
    return new Processes(entry, driver, await makeHome(driver, 'stocked'))
  }

  async start(): Promise<void> {
    const wanted = this.driver === 'pglite' ? 1 : 2
    this.running = await Promise.all(Array.from({ length: wanted }, () => launch(this.entry, this.home)))
    for (const process of this.running) await process.ready()
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((process) => process.end()))
  }

  /** Ends the process where a test starts, as a machine that fails does. */
  async kill(): Promise<void> {
    await this.running[0]?.end('SIGKILL')
  }

  async remove(): Promise<void> {
    await this.stop()
    await this.home.remove()
  }

  /** The process where a test starts. */
  get here(): string {
    return this.running[0]?.url ?? ''
  }

  /** The other process where it continues, if there is one. */
  get there(): string {
    return this.running.at(-1)?.url ?? ''
  }
}
