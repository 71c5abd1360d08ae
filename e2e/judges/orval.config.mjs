export default {
  service: {
    input: process.env.DOCUMENT,
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      override: { mutator: { path: 'clients/request.ts', name: 'request' } },
    },
  },
}
