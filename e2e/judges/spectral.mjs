// Spectral's own rules for OpenAPI and those after OWASP's API Security Top 10. Every exception says why.
import owasp from '@stoplight/spectral-owasp-ruleset'
import { oas } from '@stoplight/spectral-rulesets'

/** An OWASP rule, seen to at other places than everywhere. */
const at = (name, given, more = {}) => ({ [`owasp:${name}`]: { ...owasp.rules[`owasp:${name}`], given, ...more } })

/**
 * Limits on sizes guard the service, so they are asked of what clients send. Answers stay open: fields may grow within v1. How large
 * a file may be is a setting.
 */
const sent = (name, type) =>
  at(
    name,
    ['$.paths[*][*].parameters[*]', '$.paths[*][*].requestBody'].flatMap((place) => [
      `${place}..[?(@ && @.type=="${type}" && @.format!="binary")]`,
      `${place}..[?(@ && @.type && @.type.constructor.name === "Array" && @.type.includes("${type}"))]`,
    ]),
  )

/** Responses that can refuse a key, so not those for everyone (`security: []`). */
const KEYED = '$.paths[*][?(@ && @.responses && !(@.security && @.security.length === 0))].responses'

const rateLimit = owasp.rules['owasp:api4:2023-rate-limit']
const [{ required: draft }, , { required: older }] = rateLimit.then.functionOptions.schema.oneOf

export default {
  extends: [[oas, 'recommended'], owasp],
  rules: {
    ...sent('api4:2023-string-limit', 'string'),
    ...sent('api4:2023-array-limit', 'array'),
    // It takes one of the two families of headers; these answers have both.
    ...at('api4:2023-rate-limit', `${KEYED}[?(@property.match(/^(2|4)/))]`, {
      then: { ...rateLimit.then, functionOptions: { schema: { type: 'object', required: [...draft, ...older] } } },
    }),
    ...at('api4:2023-rate-limit-responses-429', KEYED),
    ...at('api8:2023-define-error-responses-401', KEYED),
    ...at('api8:2023-define-error-validation', KEYED),
    // Names, notes and opaque tokens have a length and no form.
    'owasp:api4:2023-string-restricted': 'off',
    // A page token is signed and opens nothing without a key.
    ...at('api2:2023-no-credentials-in-url', '$..parameters[?(@ && @.in && @.in.match(/query|path/) && @.name !== "pageToken")].name'),
    // Descriptions, health and catalogs are for everyone (specification 4.1 and 2.8).
    'owasp:api2:2023-read-restricted': 'off',
    // Some senders of leads can sign in no other way; the password is the key.
    'owasp:api2:2023-no-http-basic': 'off',
    // A lead form may have any fields: the service keeps what it does not know.
    'owasp:api3:2023-no-additionalProperties': 'off',
    'owasp:api3:2023-constrained-additionalProperties': 'off',
    // Keys do not belong into pages, so only what is for everyone may be read from other origins.
    'owasp:api8:2023-define-cors-origin': 'off',
    // The description names the address that it is served at, which on one machine is localhost.
    'owasp:api8:2023-no-server-http': 'off',
  },
}
