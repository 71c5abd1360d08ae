// A clock that is wrong, for a server under test: node --import ./e2e/faults/clock.mjs. It is right until SIGUSR2 comes; then it is
// FAULT_CLOCK_MS off, or, where that is `backwards`, runs the other way. The monotonic clock stays, as it does when a system's is set.
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
