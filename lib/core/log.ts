import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { shared } from '@/lib/core/shared'
import { env, type LogLevel } from './env'
import { safeFault, safeText } from './log-safe'

const STDERR = 2
/** The amount that may wait while nobody reads standard error; lines beyond it are dropped. */
const MOST_WAITING = 4 * 1024 * 1024

/** The context of an event. */
export type LogFields = {
  requestId?: string | undefined
  operation?: string | undefined
  [name: string]: string | number | boolean | undefined
}

type Sink = { write(line: string): unknown }

/** A line for people at a terminal; programs read the JSON. */
export function readable(line: string): string {
  const { time, level, message, error, requestId, operation } = JSON.parse(line)
  const where = [operation, requestId].filter(Boolean).join(' ')
  const frames = Array.isArray(error?.stack) ? error.stack.map((frame: string) => `\n    ${frame}`).join('') : ''
  return `${String(time).slice(11, 19)} ${level} ${where ? `${where}: ` : ''}${message}${frames}\n`
}

const terminal: Sink = { write: (line) => process.stderr.write(readable(line)) }

/** Writes lines asynchronously; lines that still wait when the process ends, by itself or by an error, are written then. */
function standardError(): Sink {
  const sink = pino.destination({ dest: STDERR, sync: false, maxLength: MOST_WAITING })
  process.on('exit', () => sink.flushSync())
  return sink
}

/**
 * A logger of JSON lines.
 * @param context fields for every line, evaluated as it is written
 */
export function makeLogger(level: LogLevel, sink: Sink, context: () => object = () => ({})): Logger {
  return pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      // pino adds a line's own fields to the returned object.
      mixin: () => ({ ...context() }),
    },
    sink,
  )
}

/** Returns the level. At a terminal, startup prints what matters by itself. Bad settings are reported through this log too. */
function levelOf(): LogLevel {
  try {
    return env().logLevel ?? (isatty(STDERR) ? 'warn' : 'info')
  } catch {
    return 'info'
  }
}

export type ProcessLog = { logger: Logger; context: () => object }
const holder = shared<ProcessLog>('log', () => {
  const whose = workerField()
  const made: ProcessLog = {
    context: () => whose,
    logger: makeLogger(levelOf(), isatty(STDERR) ? terminal : standardError(), () => made.context()),
  }
  return made
})

/** The number of the worker that writes; empty when there is one process. */
function workerField(): { worker?: number } {
  try {
    const { workerSlot } = env()
    return workerSlot === undefined ? {} : { worker: workerSlot }
  } catch {
    return {}
  }
}

/** Adds fields to every later line, such as the trace id. */
export function setLogContext(context: () => object): void {
  const before = holder().context
  holder().context = () => ({ ...before(), ...context() })
}

/** Replaces the process's logger and returns a function that restores it. For tests. */
export function replaceLogger(logger: Logger): () => void {
  const before = holder().logger
  holder().logger = logger
  return () => {
    holder().logger = before
  }
}

/** Reports whether lines of a level are written, so that callers can skip preparing them. */
export const logs = (level: Exclude<LogLevel, 'silent'>): boolean => holder().logger.isLevelEnabled(level)

/** Writes one event as one line of JSON to standard error. The message is our own text; texts among the fields are cleaned. */
export function log(level: Exclude<LogLevel, 'silent'>, fields: LogFields, message: string): void {
  if (!logs(level)) return
  const safe = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? safeText(value) : value,
  ])
  holder().logger[level](Object.fromEntries(safe), message)
}

/** Logs an unexpected error as one line; clients only get the request id. */
export function logFault(where: LogFields, fault: unknown, level: 'fatal' | 'error' = 'error'): void {
  if (!logs(level)) return
  const { message, ...error } = safeFault(fault)
  holder().logger[level]({ ...where, error }, message)
}
