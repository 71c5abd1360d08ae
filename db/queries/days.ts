/** The room that a bound of an index leaves for a second midnight, which comes where clocks go back at one in the morning. */
const TWICE = `interval '1 hour'`

/** Returns SQL of a moment before a day begins, at the earliest of what may count for it: a plain day is stored as midnight UTC. */
export const daysFrom = (day: string, zone: string) =>
  `least(${day}::timestamp at time zone 'UTC', ${day}::timestamp at time zone ${zone} - ${TWICE})`

/** Returns SQL of the moment behind a day, at the latest. */
export const daysBehind = (day: string, zone: string) =>
  `greatest((${day}::timestamp + interval '1 day') at time zone 'UTC', (${day}::timestamp + interval '1 day') at time zone ${zone} + ${TWICE})`

/** Returns SQL that is true for moments from one of the contractor's days to another: a range of an index, then the exact days. */
export const withinDays = (column: string, from: string, to: string, zone: string) =>
  `${column} >= ${daysFrom(from, zone)} and ${column} < ${daysBehind(to, zone)} and day_in(${column}, ${zone}) between ${from}::date and ${to}::date`

/** The same for all moments up to the end of a day. What is before its first moment needs no look at the clock there. */
export const untilDay = (column: string, to: string, zone: string) =>
  `${column} < ${daysBehind(to, zone)} and (${column} < ${daysFrom(to, zone)} or day_in(${column}, ${zone}) <= ${to}::date)`

/** The same for all moments after a day. */
export const afterDay = (column: string, day: string, zone: string) =>
  `${column} >= ${daysFrom(`(${day}::date + 1)`, zone)} and day_in(${column}, ${zone}) > ${day}::date`

/** The same for all moments from a day on. */
export const fromDay = (column: string, from: string, zone: string) =>
  `${column} >= ${daysFrom(from, zone)} and day_in(${column}, ${zone}) >= ${from}::date`
