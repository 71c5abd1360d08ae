// Gives a server under test a wrong clock: node --import ./e2e/faults/clock.mjs. The clock is right until SIGUSR2 arrives. Then it
// is off by FAULT_CLOCK_MS, or runs in reverse when that is `backwards`. The monotonic clock stays right, as when a system's clock
// is set.
const fault = process.env.FAULT_CLOCK_MS ?? '0'
const RealDate = Date
const realNow = Date.now
let broke

function now() {
  const real = realNow()
  if (broke === undefined) return real
  return fault === 'backwards' ? 2 * broke - real : real + Number(fault)
}

Date.now = now
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now()] : values, made),
})
process.on('SIGUSR2', () => {
  broke = realNow()
})
