import type { Patch } from './patch'

export const PATCH: Patch = {
  package: '@modelcontextprotocol/client',
  version: '2.4.0',
  what: 'Ajv in the browser, which next.config.ts replaces by this file. The client loads it for validation that the console never asks for; it is a third of what a visitor loads, and it compiles schemas into code, which the page’s policy forbids.',
  upstream: 'https://github.com/modelcontextprotocol/typescript-sdk/blob/main/packages/client/src/client/client.ts',
  removeWhen: 'The client loads a validator only when it is given one.',
}

/** Stands in a browser's bundle for the SDK's validator of JSON schemas. */
export default class NoValidator {}
export { NoValidator as Ajv }
