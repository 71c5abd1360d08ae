import { ServiceError } from '@/lib/core/errors'
import { type System, stockLength } from '../define'

/**
 * Lengths of studs: precision end trimmed ones of 92-5/8, 104-5/8 and 116-5/8 in, which with three plates make walls of 97-1/8,
 * 109-1/8 and 121-1/8 in for ceilings of 8, 9 and 10 ft, and lumber.
 */
const STUDS: Record<System, [length: number, text: string][]> = {
  imperial: [
    [92.625 / 12, '92-5-8in'],
    [104.625 / 12, '104-5-8in'],
    [116.625 / 12, '116-5-8in'],
  ],
  metric: [
    [2.353, '2.353m'],
    [2.657, '2.657m'],
    [2.962, '2.962m'],
  ],
}

/** The shortest precut stud or lumber that a stud can be cut from. @throws ServiceError `bad_request` when none is long enough */
export function studText(system: System, length: number): string {
  const lumber = stockLength(system, length)
  const precut = STUDS[system].find(([sold]) => sold >= length - 1e-9)
  return precut && precut[0] < Number.parseFloat(lumber) ? precut[1] : lumber
}

/** The longest studs: bearing studs are at most 10 ft long, others 14 ft in 2x4 and 20 ft in 2x6 (IRC table R602.3(5)). */
const LONGEST_STUD: Record<'2x4' | '2x6', Record<System, number>> = {
  '2x4': { imperial: 14, metric: 4.27 },
  '2x6': { imperial: 20, metric: 6.1 },
}

/** Refuses studs longer than the table allows in any wall. @throws ServiceError `bad_request` */
export function requireHeight(lumber: '2x4' | '2x6', height: number, system: System): void {
  const most = LONGEST_STUD[lumber][system]
  if (height <= most + 1e-9) return
  const unit = system === 'imperial' ? 'ft' : 'm'
  throw new ServiceError(
    'bad_request',
    `Studs of ${lumber} are at most ${most} ${unit} long, and 10 ft (3.05 m) in bearing walls (IRC table R602.3(5)); this wall is ${height} ${unit} high. Use 2x6 or have the wall designed.`,
  )
}

/** The narrowest opening that is framed as one, in ft and m. */
export const NARROWEST: Record<System, number> = { imperial: 1.5, metric: 0.45 }

/** Refuses more openings than a wall has room for. @throws ServiceError `bad_request` */
export function requireRoom(length: number, openings: number, width: number): void {
  if (openings * width <= length + 1e-9) return
  throw new ServiceError(
    'bad_request',
    `${openings} openings of ${width} are wider together than the wall (${length}). Ask the user for the length, the openings and their width.`,
  )
}
