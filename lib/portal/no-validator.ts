/** Stands in a browser's bundle for the SDK's validator of JSON schemas, which the console never asks (see next.config.ts). */
export default class NoValidator {}
export { NoValidator as Ajv }
