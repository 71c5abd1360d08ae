import { type Driver, type Entry, type Home, launch, makeHome, type Running } from './running'

/** A service as it runs in earnest: over Postgres two processes on one database, over PGlite, which one process opens, one. */
export class Processes {
  private running: Running[] = []

  private constructor(
    private readonly entry: Entry,
    private readonly driver: Driver,
    readonly home: Home,
  ) {}

  static async prepare(entry: Entry, driver: Driver): Promise<Processes> {
    return new Processes(entry, driver, await makeHome(driver, 'empty'))
  }

  async start(): Promise<void> {
    const wanted = this.driver === 'pglite' ? 1 : 2
    this.running = await Promise.all(Array.from({ length: wanted }, () => launch(this.entry, this.home)))
    for (const process of this.running) await process.ready()
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((process) => process.end()))
  }

  async remove(): Promise<void> {
    await this.stop()
    await this.home.remove()
  }

  /** Where something is begun. */
  get here(): string {
    return this.running[0]?.url ?? ''
  }

  /** Where it goes on: another process, if there is one. */
  get there(): string {
    return this.running.at(-1)?.url ?? ''
  }
}
