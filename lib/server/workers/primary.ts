import cluster, { type Worker } from 'node:cluster'
import { log } from '@/lib/core/log'
import { onStopSignal } from '@/lib/core/stopping'
import { isMessage, type Message } from '@/lib/telemetry/worker-messages'

/** Workers drain for at most 6 s and write what is left for less than 4; one that takes longer than this is killed. */
const STOP_MS = 9_500
/** The time workers have to answer when one of them gathers values. */
const GATHER_MS = 1_000
const SOON_MS = 30_000
const MOST_SOON = 5
const FIRST_PAUSE_MS = 100

/**
 * Returns how long to wait before restarting a worker that died: briefly at first, then twice as long each time; undefined when it
 * has died five times within half a minute, because another start won't help.
 * @param deaths when it died, this last time included; in milliseconds of the same clock as `now`
 */
export function pauseBefore(deaths: number[], now: number): number | undefined {
  const soon = deaths.filter((at) => now - at < SOON_MS).length
  return soon >= MOST_SOON ? undefined : FIRST_PAUSE_MS * 2 ** (soon - 1)
}

type Gathering = { values: unknown[]; wanted: number; end(): void }

/** Starts the workers, replaces those that die, passes messages between them, and stops them together. */
class Workers {
  private readonly running = new Map<number, Worker>()
  private readonly deaths = new Map<number, number[]>()
  private readonly gatherings = new Map<number, Gathering>()
  private gathered = 0
  private isUp = false
  private code: number | undefined

  constructor(
    private readonly count: number,
    private readonly allReady: () => void,
    private readonly ended: (code: number) => void,
  ) {}

  /** Starts the first worker alone, so that a startup error is reported only once. */
  begin(): void {
    this.start(1, () => {
      this.isUp = true
      let left = this.count - 1
      for (let slot = 2; slot <= this.count; slot++)
        this.start(slot, () => {
          if (--left === 0) this.allReady()
        })
    })
  }

  /** Asks every worker to drain. On a second call, or when they take too long, it kills them. */
  stop(code = 0): void {
    if (this.code !== undefined) {
      this.kill()
      return
    }
    this.code = code
    for (const { process } of this.running.values()) process.kill('SIGTERM')
    setTimeout(() => this.kill(), STOP_MS).unref()
    this.endIfGone()
  }

  private kill(): void {
    this.code = 1
    for (const { process } of this.running.values()) process.kill('SIGKILL')
    this.endIfGone()
  }

  private endIfGone(): void {
    if (this.running.size === 0 && this.code !== undefined) this.ended(this.code)
  }

  private start(slot: number, ready = () => {}): void {
    const worker = cluster.fork({ PLUMBLINE_WORKER: String(slot) })
    this.running.set(slot, worker)
    let isReady = false
    worker.on('message', (message) => {
      if (!isMessage(message)) return
      if (message.plumbline === 'gather') this.gather(worker, message.id)
      if (message.plumbline === 'told') this.take(message.id, message.value)
      if (message.plumbline === 'ready' && !isReady) {
        isReady = true
        ready()
      }
    })
    worker.on('exit', (code, signal) => {
      this.running.delete(slot)
      if (this.code !== undefined) {
        if (code !== 0) this.code = 1
        return this.endIfGone()
      }
      this.replace(slot, { code, signal, pid: worker.process.pid })
    })
  }

  private replace(slot: number, end: { code: number | null; signal: string | null; pid: number | undefined }): void {
    const deaths = [...(this.deaths.get(slot) ?? []), performance.now()].slice(-10)
    this.deaths.set(slot, deaths)
    const pause = this.isUp ? pauseBefore(deaths, performance.now()) : undefined
    const where = { worker: slot, pid: end.pid, code: end.code ?? undefined, signal: end.signal ?? undefined }
    if (pause === undefined) {
      log('fatal', where, 'a worker cannot be kept running; all stop')
      this.stop(1)
      return
    }
    log('error', { ...where, pauseMs: pause }, 'a worker ended; another is started')
    setTimeout(() => this.code === undefined && this.start(slot), pause)
  }

  private gather(asking: Worker, askedAs: number): void {
    const id = ++this.gathered
    const asked = [...this.running.values()].filter((worker) => worker.isConnected())
    const end = () => {
      const values = this.gatherings.get(id)?.values
      if (!values) return
      clearTimeout(tooLate)
      this.gatherings.delete(id)
      send(asking, { plumbline: 'gathered', id: askedAs, values })
    }
    const tooLate = setTimeout(end, GATHER_MS)
    this.gatherings.set(id, { values: [], wanted: asked.length, end })
    for (const worker of asked) send(worker, { plumbline: 'tell', id })
  }

  private take(id: number, value: unknown): void {
    const gathering = this.gatherings.get(id)
    if (!gathering) return
    gathering.values.push(value)
    if (gathering.values.length === gathering.wanted) gathering.end()
  }
}

/** Sends to a worker, unless it has ended in the meantime. */
const send = (worker: Worker, message: Message) => worker.isConnected() && worker.send(message, () => {})

/**
 * Runs this program in `count` workers that share its port until a signal ends them; resolves with the exit code.
 * @param allReady called once when every worker answers requests
 */
export function runWorkers(count: number, allReady: () => void): Promise<number> {
  return new Promise((done) => {
    const workers = new Workers(count, allReady, done)
    onStopSignal(
      () => workers.stop(),
      () => workers.stop(),
    )
    workers.begin()
  })
}
