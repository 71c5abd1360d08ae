/** A picture of one pixel and a sound of no length, in base64. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

export const text = (said: string) => ({ type: 'text', text: said })
export const image = { type: 'image', data: PNG, mimeType: 'image/png' }
export const audio = { type: 'audio', data: WAV, mimeType: 'audio/wav' }
export const embedded = (uri: string, said: string, mimeType = 'text/plain') => ({
  type: 'resource',
  resource: { uri, mimeType, text: said },
})

/** The resources that the runner reads. */
export const RESOURCES: Record<string, object> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://template/123/data': {
    mimeType: 'application/json',
    text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
  },
}

/** The prompts that the runner gets, from their arguments. */
export const PROMPTS: Record<string, (args: Record<string, unknown>) => object[]> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    embedded(String(resourceUri), 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, text('Please analyze the image above.')],
}

const field = (name: string, type: string) => ({
  type: 'object',
  properties: { [name]: { type } },
  required: [name],
})
const elicit = (message: string, requestedSchema: object) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema },
})
export const sample = (said: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(said) }], maxTokens },
})

/** The questions that the runner's tools ask, by name. */
export const QUESTIONS = {
  name: elicit('What is your name?', field('name', 'string')),
  color: elicit('Step 2: What is your favorite color?', field('color', 'string')),
  confirm: elicit('Please confirm', field('ok', 'boolean')),
  context: elicit('What context should the prompt use?', field('context', 'string')),
  capital: sample('What is the capital of France?', 100),
  greeting: sample('Generate a greeting', 50),
  roots: { method: 'roots/list', params: {} },
}

const titled = (entries: [string, string][]) => entries.map(([value, title]) => ({ const: value, title }))

/** Forms with defaults (SEP-1034) and with choices (SEP-1330). */
export const FORMS: Record<string, object> = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: titled([
        ['value1', 'First Option'],
        ['value2', 'Second Option'],
        ['value3', 'Third Option'],
      ]),
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: titled([
          ['value1', 'First Choice'],
          ['value2', 'Second Choice'],
          ['value3', 'Third Choice'],
        ]),
      },
    },
  },
}

/** A tool's schema with keywords of JSON Schema 2020-12 (SEP-1613, SEP-2106), as the runner wants it back. */
export const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}
