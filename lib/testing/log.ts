import type { LogLevel } from '@/lib/core/env'
import { makeLogger, replaceLogger } from '@/lib/core/log'

/** Collects what is logged until `end` is called: as text, and line by line as the objects they are. */
export function collectLog(level: LogLevel = 'info') {
  const written: string[] = []
  const end = replaceLogger(makeLogger(level, { write: (line) => written.push(line) }))
  return { text: () => written.join(''), lines: () => written.map((line) => JSON.parse(line)), end }
}
