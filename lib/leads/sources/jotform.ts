import { parseStrictJson } from '@/lib/core/json'
import { type Answer, answersIn } from './answers'
import { type JsonObject, type LeadSource, textOf } from './define'
import { formSource } from './form'

const ABOUT_FORM = [
  ...[
    'slug',
    'jsExecutionTracker',
    'submitSource',
    'submitDate',
    'buildDate',
    'uploadServerUrl',
    'eventObserver',
    'event_id',
  ],
  ...[
    'timeToSubmit',
    'validatedNewRequiredFieldIDs',
    'path',
    'preview',
    'temp_upload',
    'file_server',
    'JWTContainer',
    'target',
  ],
]

function parsed(text: string | undefined): JsonObject | undefined {
  try {
    return text === undefined ? undefined : parseStrictJson(text)
  } catch {
    return undefined
  }
}

/** Reads `Name:Ana Lopez, Phone:(615) 555-0142`: what Jotform shows people, where the answers themselves are missing. */
const fromPretty = (pretty: string): Answer[] =>
  pretty.split(/, (?=[^,:]{1,60}:)/).flatMap((pair) => {
    const colon = pair.indexOf(':')
    const [label, text] = [pair.slice(0, colon).trim(), pair.slice(colon + 1).trim()]
    return colon > 0 && text !== '' ? [{ path: 'pretty', label, text }] : []
  })

function answersOf(body: JsonObject): Answer[] {
  const raw = parsed(textOf(body.rawRequest))
  if (!raw) return fromPretty(textOf(body.pretty) ?? '')
  return answersIn(raw, ABOUT_FORM).map((answer) => ({
    ...answer,
    path: `rawRequest.${answer.path}`,
    label: answer.label.replace(/^q\d{1,4}_/, ''),
  }))
}

/** The source Jotform: a multipart form whose `rawRequest` has the answers as JSON. */
export const jotform: LeadSource = formSource({
  name: 'jotform',
  title: 'Jotform',
  recognizes: (body) => 'rawRequest' in body || ('submissionID' in body && 'formID' in body),
  leadSource: 'Website form (Jotform)',
  paths: { externalId: ['submissionID'] },
  answers: answersOf,
})
