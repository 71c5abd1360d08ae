// For tests only: lets the server reach an identity provider on this machine as it reaches one on the internet. Load it before everything
// else (`node --import`); what checks addresses has tests of its own.
const lookup = (_host, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
const ssoConnecting = { ca: process.env.TEST_PROVIDER_CERTIFICATE, lookup }
Reflect.set(globalThis, Symbol.for('plumbline.shared'), new Map(Object.entries({ ssoConnecting })))
