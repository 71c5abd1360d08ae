// Gives a server under test a receiver on the public internet that is in fact on this machine: node --import ./e2e/faults/public-name.mjs.
// `hook.example.com` resolves to a public address, and connections to that address end at FAULT_RECEIVER_PORT on loopback. What checks
// addresses is the server's own code.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const ADDRESS = '93.184.215.14'
const { lookup } = dns
dns.lookup = (host, options, done) => {
  if (host !== 'hook.example.com') return lookup(host, options, done)
  process.nextTick(() => (options.all ? done(null, [{ address: ADDRESS, family: 4 }]) : done(null, ADDRESS, 4)))
}
syncBuiltinESMExports()

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...given) {
  const [to, ...rest] = Array.isArray(given[0]) ? given[0] : given
  if (to?.host !== 'hook.example.com') return connect.apply(this, given)
  to.lookup(to.host, {}, (error, address) => {
    if (error || address !== ADDRESS) this.destroy(error ?? new Error(`${address} is not the receiver`))
    else connect.call(this, { ...to, host: '127.0.0.1', port: Number(process.env.FAULT_RECEIVER_PORT) }, ...rest)
  })
  return this
}
